import { Button, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useCall } from '#console/lib/useCall.ts'
import { type AlertCondition, listAlertPeriods, listOperators } from '#contract/http/alertConditions.ts'
import { ALERT_ACTIONS } from '#domain/alerts/alertWords.ts'
import { ConditionPreview } from './ConditionPreview.tsx'
import {
  bodyOf,
  type ConditionBody,
  type ConditionField,
  type ConditionValues,
  errorsOf,
  isNumberField,
  valuesOf,
} from './conditionValues.ts'
import type { ConditionOwner } from './thresholdsAddress.ts'

const LONGEST_VALUE = 256

interface Props {
  readonly owner: ConditionOwner
  readonly fields: readonly ConditionField[]
  readonly condition: AlertCondition | undefined
  readonly isBusy: boolean
  readonly onSubmit: (body: ConditionBody) => void
  readonly onCancel: () => void
}

/** P2 §5 "Condition", with what it would have done. */
export function ConditionForm({ owner, fields, condition, isBusy, onSubmit, onCancel }: Props) {
  const fieldOf = (values: ConditionValues) => fields.find(({ id }) => String(id) === values.fieldId)
  const form = useForm<ConditionValues>({
    initialValues: valuesOf(condition),
    validate: (values) => errorsOf(values, fieldOf(values)),
  })
  const field = fieldOf(form.values)
  const body = bodyOf(owner, condition?.id ?? 0, form.values, field)
  const submit = (values: ConditionValues) => {
    const complete = bodyOf(owner, condition?.id ?? 0, values, fieldOf(values))
    if (complete) onSubmit(complete)
  }

  return (
    <div className="condition">
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack gap="md">
          <Select
            label="Field"
            withAsterisk
            searchable
            data-autofocus={!condition}
            placeholder="Choose"
            data={groupedFields(fields)}
            nothingFoundMessage="Nothing found"
            maxDropdownHeight={300}
            {...form.getInputProps('fieldId')}
            onChange={(id) => {
              form.setFieldValue('fieldId', id)
              // Operators and values of one type mean nothing for another.
              if (fields.find((one) => String(one.id) === id)?.attTypeId !== field?.attTypeId) {
                form.setValues({ operatorId: null, valueDec: '', valueText: '' })
              }
            }}
          />
          <OperatorSelect field={field} {...form.getInputProps('operatorId')} />
          {isNumberField(field) || !field ? (
            <NumberInput
              label="Value"
              size="xs"
              withAsterisk
              hideControls
              disabled={!field}
              suffix={field?.unit ? ` ${field.unit}` : ''}
              {...form.getInputProps('valueDec')}
            />
          ) : (
            <TextInput label="Value" maxLength={LONGEST_VALUE} {...form.getInputProps('valueText')} />
          )}
          <PeriodSelect {...form.getInputProps('periodId')} />
          <Select
            label="Action"
            allowDeselect={false}
            data={choicesOf(ALERT_ACTIONS)}
            {...form.getInputProps('actionTypeId')}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      <ConditionPreview owner={owner} body={body} field={field} />
    </div>
  )
}

type InputProps = ReturnType<ReturnType<typeof useForm<ConditionValues>>['getInputProps']>

/** The operators that fit the field, by a call keyed on its attribute type (P2 §5). */
function OperatorSelect({ field, ...input }: InputProps & { readonly field: ConditionField | undefined }) {
  const query = field ? { attTypeId: field.attTypeId } : {}
  const operators = useCall(listOperators, query, { enabled: field !== undefined, freshMs: Number.POSITIVE_INFINITY })
  return (
    <Select
      label="Operator"
      withAsterisk
      disabled={!field}
      placeholder={field ? 'Choose' : 'Choose a field first'}
      data={choicesOf(operators.data ?? [])}
      nothingFoundMessage={operators.isError ? 'Could not be loaded' : 'Loading…'}
      {...input}
    />
  )
}

function PeriodSelect(input: InputProps) {
  const periods = useCall(listAlertPeriods, {}, { freshMs: Number.POSITIVE_INFINITY })
  return (
    <Select
      label="Period"
      description="How long it has to hold"
      allowDeselect={false}
      data={choicesOf(periods.data ?? [])}
      {...input}
    />
  )
}

const choicesOf = (names: readonly { readonly id: number; readonly name: string }[]) =>
  names.map(({ id, name }) => ({ value: String(id), label: name }))

function groupedFields(fields: readonly ConditionField[]) {
  const groups = new Map<string, { value: string; label: string }[]>()
  for (const { id, name, groupName, unit } of fields) {
    const label = unit && !name.includes(unit) ? `${name} (${unit})` : name
    groups.set(groupName, [...(groups.get(groupName) ?? []), { value: String(id), label }])
  }
  return [...groups].map(([group, items]) => ({ group, items }))
}
