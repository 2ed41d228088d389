import { ALERT_ACTION, periodMsOf } from '#domain/alerts/alertWords.ts'
import { conditionText } from '#domain/alerts/conditionText.ts'
import { type OperatorCode, operatorByCode, type Threshold } from '#domain/alerts/operators.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, DeviceModelId, FieldId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/door/eventLayout.ts'
import type { WantedFields } from '#server/telemetry/state/currentState.ts'

/** A condition as the hot path needs it. */
export interface AlertRule {
  readonly id: number
  readonly revision: number
  readonly deviceId: DeviceId | undefined
  readonly modelId: DeviceModelId | undefined
  readonly fieldId: FieldId
  readonly layout: EventLayout
  /** Component number, from 1. */
  readonly number: number
  /** Into `layout.fields`. */
  readonly fieldIndex: number
  readonly operator: OperatorCode
  readonly threshold: Threshold
  readonly periodId: number
  readonly periodMs: number
  readonly actionTypeId: number
  readonly isNotified: boolean
  readonly text: string
  /** Readings that arrived before count for nothing. */
  readonly effectiveAt: Date
}

interface ConditionRow {
  readonly id: number
  readonly revision: number
  readonly device_id: DeviceId | null
  readonly model_id: DeviceModelId | null
  readonly field_id: FieldId
  readonly operator_code: string
  readonly value_dec: number | null
  readonly value_text: string | null
  readonly period_id: number
  readonly action_type_id: number
  readonly effective_at: Date
}

const NONE: readonly AlertRule[] = []

const COLUMNS = `id, revision, device_id, model_id, field_id, operator_code, value_dec, value_text, period_id,
  action_type_id, effective_at`

/** Where the readings of a field are; undefined for one that the catalogue does not have. */
export function fieldPlace(fieldId: FieldId): Pick<AlertRule, 'layout' | 'number' | 'fieldIndex'> | undefined {
  const numbered = numberedFieldById(fieldId)
  const layout = numbered && layoutByTypeId(numbered.type.id)
  if (!numbered || !layout) return undefined
  return { layout, number: numbered.number, fieldIndex: layout.indexByName.get(numbered.field.name) ?? 0 }
}

/** Undefined for a row that this program cannot evaluate, such as a field that the catalogue no longer has. */
function ruleOf(row: ConditionRow): AlertRule | undefined {
  const place = fieldPlace(row.field_id)
  const operator = operatorByCode(row.operator_code)?.code
  const threshold = row.value_dec ?? row.value_text
  const periodMs = periodMsOf(row.period_id)
  if (!place || !operator || threshold === null || periodMs === undefined) return undefined
  const { field_id: fieldId, period_id: periodId } = row
  return {
    id: row.id,
    revision: row.revision,
    deviceId: row.device_id ?? undefined,
    modelId: row.model_id ?? undefined,
    fieldId,
    ...place,
    operator,
    threshold,
    periodId,
    periodMs,
    actionTypeId: row.action_type_id,
    isNotified: row.action_type_id === ALERT_ACTION.notify,
    text: conditionText({ fieldId, operator, threshold, periodId }),
    effectiveAt: row.effective_at,
  }
}

/** One condition as it stands in the database now; undefined when it was removed. */
export async function readAlertRule(queryable: Queryable, conditionId: number): Promise<AlertRule | undefined> {
  const { rows } = await queryable.query<ConditionRow>(
    `select ${COLUMNS} from alert_condition where id = $1 and deleted_at is null`,
    [conditionId],
  )
  return rows[0] && ruleOf(rows[0])
}

/** All conditions, by what they apply to. Every process holds them, and reads them again when one was changed. */
export class AlertRules {
  readonly #byDevice = new Map<DeviceId, AlertRule[]>()
  readonly #byModel = new Map<DeviceModelId, AlertRule[]>()

  /** Number of the change that these are as of; undefined where there are none to be out of date. */
  readonly version: string | undefined
  /** What any of them looks at. */
  readonly watchedFields: WantedFields

  /** @param known when given and still right, it is the answer: whoever holds it has judged by it */
  static async read(queryable: Queryable, known?: AlertRules): Promise<AlertRules> {
    // First: rules that are newer than their number are read once more, older ones would go unnoticed.
    const versions = await queryable.query<{ version: string }>('select version::text from alert_rule_version')
    if (known?.version !== undefined && known.version === versions.rows[0]?.version) return known
    const { rows } = await queryable.query<ConditionRow>(
      `select ${COLUMNS} from alert_condition where deleted_at is null order by id`,
    )
    return new AlertRules(
      rows.flatMap((row) => ruleOf(row) ?? []),
      versions.rows[0]?.version,
    )
  }

  constructor(rules: readonly AlertRule[], version?: string) {
    this.version = version
    const ordinals = new Set(
      rules.map(({ layout, fieldIndex }) => `${layout.type.id} ${layout.fields[fieldIndex]?.ordinal}`),
    )
    this.watchedFields = {
      eventTypeIds: [...new Set(rules.map(({ layout }) => layout.type.id))],
      isWanted: (eventTypeId, ordinal) => ordinals.has(`${eventTypeId} ${ordinal}`),
    }
    for (const rule of rules) {
      if (rule.deviceId !== undefined) append(this.#byDevice, rule.deviceId, rule)
      else if (rule.modelId !== undefined) append(this.#byModel, rule.modelId, rule)
    }
  }

  /** Whether a device could have a condition, before its model is known. */
  mayApplyTo(deviceId: DeviceId): boolean {
    return this.#byModel.size > 0 || this.#byDevice.has(deviceId)
  }

  /** Conditions of the device and of its model; both apply. */
  of(deviceId: DeviceId, modelId: DeviceModelId): readonly AlertRule[] {
    const own = this.#byDevice.get(deviceId)
    const ofModel = this.#byModel.get(modelId)
    if (own === undefined) return ofModel ?? NONE
    return ofModel === undefined ? own : [...own, ...ofModel]
  }
}

function append<Key>(lists: Map<Key, AlertRule[]>, key: Key, rule: AlertRule) {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [rule])
  else list.push(rule)
}

/** Where the conditions are found as they stand now. */
export interface RuleBook {
  /** Another object after every change. */
  readonly current: () => AlertRules
  /** Reads them again at once, for whoever was told that they are out of date. */
  readonly refresh: () => Promise<void>
}

const noRules = new AlertRules([])
export const NO_RULES: RuleBook = { current: () => noRules, refresh: () => Promise.resolve() }
