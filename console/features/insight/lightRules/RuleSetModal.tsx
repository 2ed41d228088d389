import { Select } from '@mantine/core'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useUser } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { createLightRuleSet, type LightRuleSetRow } from '#contract/http/insight/lightRules.ts'
import { ruleText } from '#domain/lightRules/ruleText.ts'
import { RuleSetFields } from './RuleSetFields.tsx'
import { NEW_RULE_SET, RULE_SET_LABELS, ruleSetOf, valuesOfFile } from './ruleSetValues.ts'

interface Props {
  readonly files: readonly { readonly key: string; readonly set: LightRuleSetRow['set'] }[]
  readonly onClose: () => void
}

/** It uses a rule set that comes along, or adds one of the organisation with one rule. */
export function RuleSetModal({ files, onClose }: Props) {
  const { customerId: own } = useUser()
  const form = useCallForm(createLightRuleSet, {
    labels: RULE_SET_LABELS,
    initial: { ...NEW_RULE_SET, customerId: own },
    content: (chosen) => ({
      customerId: chosen.customerId ?? null,
      set: files.find(({ key }) => key === chosen.file)?.set ?? ruleSetOf(chosen),
    }),
    saved: 'Rule set added',
    keepsFailure: true,
    onSaved: onClose,
  })
  const { values, set, submit, isBusy, failure } = form
  const file = files.find(({ key }) => key === values.file)
  return (
    <FormModal title="Add rule set" size={520} onSubmit={submit} isBusy={isBusy} submitLabel="Add" onClose={onClose}>
      <Select
        label="Begin with"
        data={[
          { value: '', label: 'A rule set of your own' },
          ...files.map(({ key, set: one }) => ({ value: key, label: one.name })),
        ]}
        allowDeselect={false}
        value={values.file}
        onChange={(key) => set({ ...valuesOfFile(files.find((one) => one.key === key)?.set), file: key ?? '' })}
      />
      <CustomerPicker
        label="Customer"
        placeholder="All customers"
        value={values.customerId}
        onChange={(customerId) => set({ customerId })}
      />
      {file ? (
        <div className="dialog-text">
          <p>{file.set.rules.map(ruleText).join('; ')}.</p>
          <p>{file.set.source}</p>
        </div>
      ) : (
        <RuleSetFields form={form} />
      )}
      {failure && <FormNote kind="failed" text={failure} />}
    </FormModal>
  )
}
