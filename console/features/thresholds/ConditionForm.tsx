import { NumberInput, Select, TextInput } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { formErrors } from '#console/lib/form/formErrors.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import type { FieldProps } from '#console/lib/form/useFieldForm.ts'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import {
  type AlertCondition,
  listAlertPeriods,
  listOperators,
  setAlertCondition,
} from '#contract/http/alertConditions.ts'
import { ALERT_ACTIONS } from '#domain/alerts/alertWords.ts'
import { groupTitle } from '#domain/catalogue/fieldId.ts'
import { required } from '#domain/validation/messages.ts'
import { ConditionPreview } from './ConditionPreview.tsx'
import {
  CONDITION_LABELS,
  type ConditionBody,
  type ConditionField,
  type ConditionValues,
  contentOf,
  isNumberField,
  valuesOf,
} from './conditionValues.ts'
import type { ConditionOwner } from './useThresholdsAddress.ts'

interface Props {
  readonly owner: ConditionOwner
  readonly fields: readonly ConditionField[]
  readonly condition: AlertCondition | undefined
  readonly onClose: () => void
}

/** P2 §5 "Condition", with what it would have done. */
export function ConditionForm({ owner, fields, condition, onClose }: Props) {
  const fieldOf = ({ eventTypeFieldId }: Pick<ConditionValues, 'eventTypeFieldId'>) =>
    fields.find(({ id }) => String(id) === eventTypeFieldId)
  const rules = {
    labels: CONDITION_LABELS,
    content: (values: ConditionValues) => contentOf(owner, condition?.id ?? 0, values, fieldOf(values)),
    check: (values: ConditionValues) =>
      isNumberField(fieldOf(values)) && values.valueDec === '' ? { valueDec: required(CONDITION_LABELS.valueDec) } : {},
  }
  const { values, set, field, submit, isBusy } = useCallForm(setAlertCondition, {
    ...rules,
    initial: valuesOf(condition),
    saved: messages.conditionSaved,
    onSaved: onClose,
  })
  const chosen = fieldOf(values)
  const isComplete = chosen && Object.keys(formErrors(setAlertCondition, values, rules)).length === 0

  return (
    <div className="condition">
      <ModalForm onSubmit={submit} isBusy={isBusy} onCancel={onClose}>
        <Select
          {...field('eventTypeFieldId')}
          searchable
          data-autofocus={!condition}
          placeholder="Choose"
          data={groupedFields(fields)}
          nothingFoundMessage="Nothing found"
          maxDropdownHeight={300}
          onChange={(id) => {
            const isOfSameType = fieldOf({ eventTypeFieldId: id })?.attTypeId === chosen?.attTypeId
            // Operators and values of one type mean nothing for another.
            set({
              eventTypeFieldId: id,
              ...(isOfSameType ? {} : { operatorId: null, valueDec: '', valueText: '' }),
            })
          }}
        />
        <OperatorSelect field={chosen} {...field('operatorId')} />
        {isNumberField(chosen) || !chosen ? (
          <NumberInput
            {...field('valueDec')}
            withAsterisk
            size="xs"
            hideControls
            disabled={!chosen}
            suffix={chosen?.unit ? ` ${chosen.unit}` : ''}
          />
        ) : (
          <TextInput {...field('valueText')} />
        )}
        <PeriodSelect {...field('periodId')} />
        <Select {...field('actionTypeId')} allowDeselect={false} data={choicesOf(ALERT_ACTIONS)} />
      </ModalForm>
      <ConditionPreview
        owner={owner}
        body={isComplete ? (rules.content(values) as ConditionBody) : undefined}
        field={chosen}
      />
    </div>
  )
}

/** The operators that fit the field, by a call keyed on its attribute type (P2 §5). */
function OperatorSelect({
  field,
  ...input
}: FieldProps<string | null> & { readonly field: ConditionField | undefined }) {
  const query = field ? { attTypeId: field.attTypeId } : {}
  const operators = useCall(listOperators, query, { enabled: field !== undefined, freshMs: Number.POSITIVE_INFINITY })
  return (
    <Select
      {...input}
      disabled={!field}
      placeholder={field ? 'Choose' : 'Choose a field first'}
      data={choicesOf(operators.data ?? [])}
      nothingFoundMessage={operators.isError ? 'Could not be loaded' : 'Loading…'}
    />
  )
}

function PeriodSelect(input: FieldProps<string>) {
  const periods = useCall(listAlertPeriods, {}, { freshMs: Number.POSITIVE_INFINITY })
  return (
    <Select
      {...input}
      description="How long it has to hold"
      allowDeselect={false}
      data={choicesOf(periods.data ?? [])}
    />
  )
}

const choicesOf = (names: readonly { readonly id: number; readonly name: string }[]) =>
  names.map(({ id, name }) => ({ value: String(id), label: name }))

function groupedFields(fields: readonly ConditionField[]) {
  const groups = new Map<string, { value: string; label: string }[]>()
  for (const { id, name, groupName, unit } of fields) {
    const label = unit && !name.includes(unit) ? `${name} (${unit})` : name
    const group = groupTitle(groupName)
    groups.set(group, [...(groups.get(group) ?? []), { value: String(id), label }])
  }
  return [...groups].map(([group, items]) => ({ group, items }))
}
