import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { type LightRuleSetRow, replaceLightRuleSet } from '#contract/http/insight/lightRules.ts'
import { addDays } from '#domain/units/wallClock.ts'
import { RuleSetFields } from './RuleSetFields.tsx'
import { keptRulesOf, RULE_SET_LABELS, ruleSetOf, valuesOfSet } from './ruleSetValues.ts'

interface Props {
  readonly row: LightRuleSetRow
  readonly onClose: () => void
  readonly onSaved: (id: number) => void
}

/** It makes the next version of a rule set; the present one ends, and keeps what was counted by it. */
export function ChangeRuleSetModal({ row: { id, set }, onClose, onSaved }: Props) {
  const tomorrow = addDays(new Date().toISOString().slice(0, 10), 1)
  const form = useCallForm(replaceLightRuleSet, {
    labels: RULE_SET_LABELS,
    initial: valuesOfSet(set, tomorrow),
    requires: ['validFrom'],
    content: (chosen) => ({ id, set: { ...ruleSetOf(chosen, set), validFrom: chosen.validFrom ?? '' } }),
    saved: 'Rule set changed',
    keepsFailure: true,
    onSaved: (made) => {
      onClose()
      onSaved(made)
    },
  })
  const { submit, isBusy, failure, values } = form
  const last = values.validFrom && addDays(values.validFrom, -1)
  return (
    <FormModal
      title="Change rule set"
      size={520}
      onSubmit={submit}
      isBusy={isBusy}
      submitLabel="Change"
      onClose={onClose}
    >
      {last && (
        <FormNote
          kind="info"
          text={`The last nights of the present version begin on ${last}. It stays in the list with what was counted.`}
        />
      )}
      <RuleSetFields form={form} keptRules={keptRulesOf(set)} />
      {failure && <FormNote kind="failed" text={failure} />}
    </FormModal>
  )
}
