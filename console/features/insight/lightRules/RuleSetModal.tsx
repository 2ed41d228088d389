import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import { type CallForm, useCallForm } from '#console/lib/form/useCallForm.ts'
import { useUser } from '#console/lib/session/session.ts'
import { CountryCodePicker } from '#console/pickers/CountryCodePicker.tsx'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DayField } from '#console/ui/form/DayField.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { TimeField } from '#console/ui/form/TimeField.tsx'
import { createLightRuleSet, type LightRuleSetRow } from '#contract/http/insight/lightRules.ts'
import { ruleText } from '#domain/lightRules/ruleText.ts'
import { WEEKDAY_NAMES } from '#domain/maintenanceWindows/scheduleLabels.ts'
import { NEW_RULE_SET, RULE_SET_LABELS, type RuleSetFields, ruleSetOf, valuesOfSet } from './ruleSetValues.ts'

interface Props {
  readonly files: readonly { readonly key: string; readonly set: LightRuleSetRow['set'] }[]
  readonly onClose: () => void
}

const HOLIDAYS = [
  { value: 'too', label: 'As on other days' },
  { value: 'never', label: 'Free' },
  { value: 'only', label: 'Only on holidays' },
]

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
        onChange={(key) => set({ ...valuesOfSet(files.find((one) => one.key === key)?.set), file: key ?? '' })}
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
        <OwnFields form={form} />
      )}
      {failure && <FormNote kind="failed" text={failure} />}
    </FormModal>
  )
}

interface OwnFieldsProps {
  readonly form: Pick<CallForm<RuleSetFields>, 'field' | 'values' | 'set'>
}

/** A set of the organisation has one rule here; more are for the API. */
function OwnFields({ form: { field, values, set } }: OwnFieldsProps) {
  return (
    <>
      <TextInput {...field('name')} withAsterisk data-autofocus />
      <CountryCodePicker
        description="Devices of the country, by their position. Empty: everywhere"
        value={values.country}
        onChange={(country) => set({ country })}
      />
      <Group grow align="start">
        <TimeField label="From" name="From" value={values.from} onChange={(from) => set({ from: from ?? '' })} />
        <TimeField label="To" name="To" value={values.to} onChange={(to) => set({ to: to ?? '' })} />
      </Group>
      <Checkbox.Group label="Days" value={values.days} onChange={(days) => set({ days })}>
        <Group gap="sm">
          {WEEKDAY_NAMES.map((name, day) => (
            <Checkbox key={name} value={String(day)} label={name} size="xs" />
          ))}
        </Group>
      </Checkbox.Group>
      <Select {...field('onHolidays')} data={HOLIDAYS} allowDeselect={false} />
      <Group grow align="start">
        <TextInput {...field('level')} inputMode="numeric" description="0 is dark" />
        <TextInput {...field('lux')} inputMode="numeric" description="Empty: whatever the light" />
      </Group>
      <TextInput {...field('except')} description="Free nights, such as 12-24, 2026-12-31" />
      <Group grow align="start">
        <DayField
          label="Valid from"
          placeholder="Always"
          value={values.validFrom}
          onChange={(validFrom) => set({ validFrom })}
        />
        <DayField
          label="Valid until"
          placeholder="No end"
          value={values.validUntil}
          onChange={(validUntil) => set({ validUntil })}
        />
      </Group>
      <TextInput {...field('source')} description="The law, permit or contract" />
    </>
  )
}
