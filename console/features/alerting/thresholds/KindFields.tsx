import { NumberInput, Select } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import type { FieldProps } from '#console/lib/form/useFieldForm.ts'
import { listAlertPeriods } from '#contract/http/alerting/thresholds.ts'
import { type ConditionKind, isClockKind } from '#domain/alerts/conditionKinds.ts'
import { Comparison, FieldSelect } from './ComparisonFields.tsx'
import { choicesOf } from './condition/choicesOf.ts'
import {
  type ConditionField,
  type ConditionValues,
  compares,
  type FormFrame,
  hasMinutes,
  isNumberField,
  mostMinutes,
  orderOf,
} from './condition/conditionValues.ts'

export interface KindFieldsProps {
  readonly frame: FormFrame
  readonly fields: readonly ConditionField[]
  readonly values: ConditionValues
  readonly set: (changes: Partial<ConditionValues>) => void
  readonly field: <Name extends keyof ConditionValues>(name: Name) => FieldProps<ConditionValues[Name]>
  readonly isNew: boolean
}

export function KindFields({ frame, fields, values, set, field, isNew }: KindFieldsProps) {
  const { kind, fieldOf } = frame
  const chosen = fieldOf(values.eventTypeFieldId)
  return (
    <>
      {!isClockKind(kind) && (
        <FieldSelect
          {...field('eventTypeFieldId')}
          isFirst={isNew}
          fields={kind === 'change' ? fields.filter(isNumberField) : fields}
          onChoose={(id) => {
            const isOfSameType = fieldOf(id)?.attTypeId === chosen?.attTypeId
            // Operators and values of one type mean nothing for another.
            set({
              eventTypeFieldId: id,
              ...(isOfSameType ? {} : { operatorId: null, valueDec: '', valueText: '', clearDec: '' }),
            })
          }}
        />
      )}
      {compares(kind) && (
        <Comparison field={chosen} operator={field('operatorId')} dec={field('valueDec')} text={field('valueText')} />
      )}
      {kind === 'level' && isNumberField(chosen) && orderOf(values.operatorId) && (
        <ClearLevel {...field('clearDec')} values={values} unit={chosen?.unit} />
      )}
      {kind === 'pair' && <SecondField {...{ frame, fields, values, set, field }} />}
      {kind === 'change' && (
        <NumberInput
          {...field('valueDec')}
          withAsterisk
          size="xs"
          hideControls
          min={0}
          clampBehavior="none"
          suffix={chosen?.unit ? ` ${chosen.unit}` : ''}
        />
      )}
      {hasMinutes(kind) && <Minutes {...field('minutes')} kind={kind} />}
      {compares(kind) && <PeriodSelect {...field('periodId')} />}
    </>
  )
}

function SecondField({ frame: { fieldOf }, fields, values, set, field }: Omit<KindFieldsProps, 'isNew'>) {
  const second = fieldOf(values.secondFieldId)
  return (
    <>
      <Select
        {...field('joinedBy')}
        allowDeselect={false}
        data={[
          { value: 'and', label: 'and: both are true' },
          { value: 'or', label: 'or: one of them is true' },
        ]}
      />
      <FieldSelect
        {...field('secondFieldId')}
        fields={fields.filter(({ id }) => String(id) !== values.eventTypeFieldId)}
        onChoose={(id) => {
          const isOfSameType = fieldOf(id)?.attTypeId === second?.attTypeId
          set({
            secondFieldId: id,
            ...(isOfSameType ? {} : { secondOperatorId: null, secondValueDec: '', secondValueText: '' }),
          })
        }}
      />
      <Comparison
        field={second}
        operator={field('secondOperatorId')}
        dec={field('secondValueDec')}
        text={field('secondValueText')}
      />
    </>
  )
}

interface ClearLevelProps extends FieldProps<number | string> {
  readonly values: ConditionValues
  readonly unit: string | null | undefined
}

/** Between the two levels a condition keeps its state, so that a value around one of them raises one alert. */
function ClearLevel({ values: { operatorId, valueDec }, unit, ...input }: ClearLevelProps) {
  const [met, cleared] = orderOf(operatorId) === 'above' ? ['above', 'below'] : ['below', 'above']
  const raised = valueDec === '' ? 'the value' : valueDec
  const level = input.value === '' ? raised : input.value
  return (
    <NumberInput
      {...input}
      size="xs"
      hideControls
      placeholder="When no longer met"
      description={`raised ${met} ${raised}, cleared ${cleared} ${level}`}
      suffix={unit ? ` ${unit}` : ''}
    />
  )
}

const WAITS: Readonly<Partial<Record<ConditionKind, string>>> = {
  absent: 'How long the device reports without it',
  silent: 'How long there is no data',
  dark: 'How long it is dark',
}

function Minutes({ kind, ...input }: FieldProps<number | string> & { readonly kind: ConditionKind }) {
  const range = `1 to ${mostMinutes(kind)}`
  return (
    <NumberInput
      {...input}
      withAsterisk
      size="xs"
      hideControls
      allowDecimal={false}
      allowNegative={false}
      description={WAITS[kind] ? `${WAITS[kind]}: ${range}` : range}
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
