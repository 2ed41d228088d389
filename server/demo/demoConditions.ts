import type { OperatorCode, Threshold } from '#domain/alerts/operators.ts'
import type { DeviceModelId, FieldId } from '#domain/ids.ts'

export interface DemoCondition {
  readonly modelId: DeviceModelId
  readonly fieldId: FieldId
  readonly operator: OperatorCode
  readonly threshold: Threshold
}

/** Display 1 internal temperature, ECU 1 door, UPS status. */
const INTERNAL_TEMPERATURE = 4101 as FieldId
const DOOR = 1105 as FieldId
const UPS_STATUS = 5101 as FieldId

const on = (models: readonly number[], condition: Omit<DemoCondition, 'modelId'>): readonly DemoCondition[] =>
  models.map((modelId) => ({ ...condition, modelId: modelId as DeviceModelId }))

/** What the demo's operators watch for; they may change it like any other condition. */
export const DEMO_CONDITIONS: readonly DemoCondition[] = [
  ...on([1, 15, 16, 22], { fieldId: INTERNAL_TEMPERATURE, operator: 'GT', threshold: 40 }),
  ...on([1, 22], { fieldId: DOOR, operator: 'EQ', threshold: 1 }),
  ...on([1, 15, 22], { fieldId: UPS_STATUS, operator: 'NEQ', threshold: 'on line interactive normal' }),
]
