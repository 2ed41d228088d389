import { NumberInput, Select, TextInput } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import type { FieldProps } from '#console/lib/form/useFieldForm.ts'
import { listOperators } from '#contract/http/alerting/thresholds.ts'
import { groupTitle } from '#domain/catalogue/fieldId.ts'
import { choicesOf } from './condition/choicesOf.ts'
import { type ConditionField, isNumberField } from './condition/conditionValues.ts'

interface FieldSelectProps extends FieldProps<string | null> {
  readonly fields: readonly ConditionField[]
  readonly isFirst?: boolean
  readonly onChoose: (id: string | null) => void
}

export function FieldSelect({ fields, isFirst = false, onChoose, ...input }: FieldSelectProps) {
  return (
    <Select
      {...input}
      withAsterisk
      searchable
      data-autofocus={isFirst}
      placeholder="Choose"
      data={groupedFields(fields)}
      nothingFoundMessage="Nothing found"
      maxDropdownHeight={300}
      onChange={onChoose}
    />
  )
}

interface ComparisonProps {
  readonly field: ConditionField | undefined
  readonly operator: FieldProps<string | null>
  readonly dec: FieldProps<number | string>
  readonly text: FieldProps<string>
}

export function Comparison({ field, operator, dec, text }: ComparisonProps) {
  return (
    <>
      <OperatorSelect field={field} {...operator} />
      {isNumberField(field) || !field ? (
        <NumberInput
          {...dec}
          withAsterisk
          size="xs"
          hideControls
          disabled={!field}
          suffix={field?.unit ? ` ${field.unit}` : ''}
        />
      ) : (
        <TextInput {...text} />
      )}
    </>
  )
}

/** The operators come from a call keyed on the field's attribute type (rules/alerts 2). */
function OperatorSelect({
  field,
  ...input
}: FieldProps<string | null> & { readonly field: ConditionField | undefined }) {
  const query = field ? { attTypeId: field.attTypeId } : {}
  const operators = useCall(listOperators, query, { enabled: field !== undefined, freshMs: Number.POSITIVE_INFINITY })
  return (
    <Select
      {...input}
      withAsterisk
      disabled={!field}
      placeholder={field ? 'Choose' : 'Choose a field first'}
      data={choicesOf(operators.data ?? [])}
      nothingFoundMessage={operators.isError ? 'Could not be loaded' : 'Loading…'}
    />
  )
}

function groupedFields(fields: readonly ConditionField[]) {
  const groups = new Map<string, { value: string; label: string }[]>()
  for (const { id, name, groupName, unit } of fields) {
    const label = unit && !name.includes(unit) ? `${name} (${unit})` : name
    const group = groupTitle(groupName)
    groups.set(group, [...(groups.get(group) ?? []), { value: String(id), label }])
  }
  return [...groups].map(([group, items]) => ({ group, items }))
}
