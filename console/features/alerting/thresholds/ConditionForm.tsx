import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formErrors } from '#console/lib/form/formErrors.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { type AlertCondition, LONGEST_CONDITION_TITLE, setAlertCondition } from '#contract/http/alerting/thresholds.ts'
import { ALERT_ACTIONS } from '#domain/alerts/alertLabels.ts'
import { CONDITION_KINDS, type ConditionKind, isClockKind, SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { conditionTitle } from '#domain/alerts/conditionTitle.ts'
import type { SuggestedCondition } from '#domain/alerts/suggestedConditions.ts'
import { ConditionPreview } from './ConditionPreview.tsx'
import { choicesOf } from './condition/choicesOf.ts'
import { conditionMessages } from './condition/conditionMessages.ts'
import { type ConditionOwner, hereText, ownerText } from './condition/conditionOwner.ts'
import {
  type ConditionBody,
  type ConditionField,
  type ConditionValues,
  type FormFrame,
  faultsOf,
  labelsOf,
  sentenceOf,
  valuesOf,
  valuesOfSuggestion,
  wordsOf,
} from './condition/conditionValues.ts'
import { KindFields } from './KindFields.tsx'

interface Props {
  readonly owner: ConditionOwner
  readonly fields: readonly ConditionField[]
  readonly condition: AlertCondition | undefined
  /** A new condition replaces this wider one, and starts with its values. */
  readonly overridden?: AlertCondition | undefined
  readonly suggested?: SuggestedCondition | undefined
  readonly onClose: () => void
}

/** The kind is chosen first, then its fields (rules/alerts 1), beside a preview of its alerts. */
export function ConditionForm({ owner, fields, condition, overridden, suggested, onClose }: Props) {
  const begun = condition ?? overridden
  const [kind, setKind] = useState<ConditionKind>(begun?.kind ?? suggested?.kind ?? 'level')
  const frame: FormFrame = { kind, fieldOf: (wanted) => fields.find(({ id }) => String(id) === wanted) }
  const rules = {
    labels: labelsOf(kind),
    content: (values: ConditionValues) => ({
      id: condition?.id ?? 0,
      ...wordsOf(values, frame),
      ...owner,
      ...(overridden ? { overridesId: overridden.id } : {}),
    }),
    check: (values: ConditionValues) => faultsOf(values, frame),
  }
  const { values, set, field, submit, isBusy } = useCallForm(setAlertCondition, {
    ...rules,
    initial: suggested ? valuesOfSuggestion(suggested) : valuesOf(begun),
    saved: conditionMessages.saved,
    onSaved: onClose,
  })
  const isComplete = Object.keys(formErrors(setAlertCondition, values, rules)).length === 0
  // A title changes nothing of what is judged.
  const { title: _, ...judged } = rules.content(values)
  const body = isComplete ? (judged as ConditionBody) : undefined
  const sentence = body && sentenceOf(body)

  return (
    <div className="condition">
      <ModalForm onSubmit={submit} isBusy={isBusy} onCancel={onClose}>
        {overridden && <OverriddenNote base={overridden} owner={owner} />}
        <KindSelect kind={kind} onChange={setKind} />
        <KindFields {...{ frame, fields, values, set, field }} isNew={!begun} />
        <div className="condition-two">
          <Select {...field('severityId')} allowDeselect={false} data={choicesOf(SEVERITIES)} />
          <Select {...field('actionTypeId')} allowDeselect={false} data={choicesOf(ALERT_ACTIONS)} />
        </div>
        <TextInput
          {...field('title')}
          size="xs"
          maxLength={LONGEST_CONDITION_TITLE}
          placeholder={sentence && conditionTitle(sentence)}
          description="Leave empty to name it by its field and limit"
        />
        <p className="condition-sentence" aria-live="polite">
          <span className="dim">Condition</span> {sentence ?? '–'}
        </p>
      </ModalForm>
      <ConditionPreview
        owner={owner}
        kind={kind}
        body={body}
        field={isClockKind(kind) ? undefined : frame.fieldOf(values.eventTypeFieldId)}
      />
    </div>
  )
}

interface KindSelectProps {
  readonly kind: ConditionKind
  readonly onChange: (kind: ConditionKind) => void
}

function KindSelect({ kind, onChange }: KindSelectProps) {
  return (
    <Select
      label="Kind"
      description={CONDITION_KINDS.find((one) => one.kind === kind)?.meaning}
      allowDeselect={false}
      data={CONDITION_KINDS.map((one) => ({ value: one.kind, label: one.name }))}
      value={kind}
      onChange={(chosen) => onChange(chosen as ConditionKind)}
    />
  )
}

function OverriddenNote({ base, owner }: { readonly base: AlertCondition; readonly owner: ConditionOwner }) {
  const here = hereText(owner)
  return (
    <p className="condition-note">
      Replaces “{base.conditionText}” of {ownerText(base)} on {here}. {conditionMessages.closesAlerts(here)}
    </p>
  )
}
