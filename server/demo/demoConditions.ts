import { type ConditionKind, type SeverityId, USUAL_SEVERITY } from '#domain/alerts/conditionKinds.ts'
import { partsOf } from '#domain/alerts/conditionParts.ts'
import type { OperatorCode, Threshold } from '#domain/alerts/operators.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { DeviceModelId, FieldId } from '#domain/ids.ts'

interface Comparison {
  readonly fieldId: FieldId
  readonly operator: OperatorCode
  readonly threshold: Threshold
}

interface DemoCondition extends Comparison {
  readonly modelId: DeviceModelId
  readonly kind?: ConditionKind
  readonly severityId?: SeverityId
  /** A condition on a value clears over this. */
  readonly clearDec?: number
  readonly minutes?: number
  /** A pair is met when both comparisons are true. */
  readonly second?: Comparison
}

const INTERNAL_TEMPERATURE = 4001 as FieldId
const UPS_STATUS = 5101 as FieldId
const UPS_CHARGE = 5102 as FieldId
const UPS_LOAD = 5104 as FieldId

const on = (models: readonly number[], condition: Omit<DemoCondition, 'modelId'>): readonly DemoCondition[] =>
  models.map((modelId) => ({ ...condition, modelId: modelId as DeviceModelId }))

/** Conditions that the demo's operators add to those of every installation; they may change them as any other. */
const DEMO_CONDITIONS: readonly DemoCondition[] = [
  ...on([1, 15, 16, 22], { fieldId: INTERNAL_TEMPERATURE, operator: 'GT', threshold: 40 }),
  // The past of the demo has no pairs: they are evaluated from the first start on.
  ...on([1, 22], {
    ...{ kind: 'pair', severityId: 1, fieldId: UPS_STATUS, operator: 'EQ', threshold: 'on battery' },
    second: { fieldId: UPS_CHARGE, operator: 'LT', threshold: 30 },
  }),
  ...on([1, 22], { fieldId: UPS_LOAD, operator: 'GT', threshold: 80, clearDec: 70, severityId: 3 }),
]

/** Tests of new software restart these devices, so their silence raises an alert later. */
const PILOT = 'Pilot 2027'
/** It overrides the condition on the silence of all devices. */
export const DEMO_OVERRIDE = { minutes: 120, tag: PILOT, tagKey: tagKey(PILOT) }

const valuesOf = (prefix: '' | 'second_', threshold: Threshold | undefined) => ({
  [`${prefix}value_dec`]: typeof threshold === 'number' ? threshold : null,
  [`${prefix}value_text`]: typeof threshold === 'string' ? threshold : null,
})

const partsOfDemo = ({ fieldId, second }: DemoCondition) => partsOf({ fieldId, secondFieldId: second?.fieldId ?? null })

/** Returns the rows of `alert_condition`, each followed by its parts. */
export const demoConditionRows = () =>
  DEMO_CONDITIONS.flatMap((condition, place) => [
    rowOf(condition, place, null),
    ...partsOfDemo(condition).map(({ number, fieldId }) => rowOf({ ...condition, fieldId }, place, number)),
  ])

function rowOf(
  { modelId, fieldId, operator, threshold, second, ...condition }: DemoCondition,
  place: number,
  partNumber: number | null,
) {
  return {
    place,
    part_number: partNumber,
    model_id: modelId,
    kind: condition.kind ?? 'level',
    severity_id: condition.severityId ?? USUAL_SEVERITY,
    field_id: fieldId,
    operator_code: operator,
    ...valuesOf('', threshold),
    clear_dec: condition.clearDec ?? null,
    minutes: condition.minutes ?? null,
    joined_by: second ? 'and' : null,
    second_field_id: second?.fieldId ?? null,
    second_operator_code: second?.operator ?? null,
    ...valuesOf('second_', second?.threshold),
  }
}
