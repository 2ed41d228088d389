import { ALERT_ACTION, periodMsOf } from '#domain/alerts/alertLabels.ts'
import { type ConditionKind, isClockKind, minutesMs } from '#domain/alerts/conditionKinds.ts'
import { type Comparison, conditionText } from '#domain/alerts/conditionText.ts'
import type { FoldedCondition } from '#domain/alerts/fold/alertFold.ts'
import type { JudgedCondition } from '#domain/alerts/fold/conditionJudge.ts'
import { type OperatorCode, operatorByCode, type Threshold } from '#domain/alerts/operators.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { CustomerId, DeviceId, DeviceModelId, FieldId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import type { WantedFields } from '#server/telemetry/state/currentState.ts'
import { ConditionPlaces, type PlacedCondition, type PlacedDevice } from './conditionPlaces.ts'

export interface FieldPlace {
  readonly id: FieldId
  readonly layout: EventLayout
  readonly number: number
  readonly fieldIndex: number
}

/** The bit of a component in a set of components. There are fewer than 32 slots, so that a set fits into one number. */
export const slotBit = ({ layout, number }: Pick<FieldPlace, 'layout' | 'number'>): number =>
  1 << (layout.firstSlot + number - 1)

/** A condition as the hot path needs it. */
export interface AlertRule extends PlacedCondition, FoldedCondition {
  readonly revision: number
  /** The condition it was made of. For a part that is another condition. */
  readonly wholeId: number
  readonly isPart: boolean
  readonly kind: ConditionKind
  readonly fieldId: FieldId
  readonly operator: OperatorCode
  readonly threshold: Threshold
  /** The field, or both fields of a pair. Without fields no reading judges the condition. */
  readonly fields: readonly FieldPlace[]
  /** How long a condition of kind "no value" waits. */
  readonly waitMs: number
  readonly periodId: number
  readonly actionTypeId: number
  readonly isNotified: boolean
  readonly severityId: number
  readonly text: string
  /** Readings that arrived earlier count for nothing. */
  readonly effectiveAt: Date
}

interface ConditionRow {
  readonly id: number
  readonly revision: number
  readonly kind: ConditionKind
  readonly device_id: DeviceId | null
  readonly model_id: DeviceModelId | null
  readonly customer_id: CustomerId | null
  readonly tag_key: string | null
  readonly overrides_id: number | null
  readonly part_of_id: number | null
  readonly is_off: boolean
  readonly field_id: FieldId
  readonly operator_code: string
  readonly value_dec: number | null
  readonly value_text: string | null
  readonly clear_dec: number | null
  readonly minutes: number | null
  readonly joined_by: 'and' | 'or' | null
  readonly second_field_id: FieldId | null
  readonly second_operator_code: string | null
  readonly second_value_dec: number | null
  readonly second_value_text: string | null
  readonly period_id: number
  readonly action_type_id: number
  readonly severity_id: number
  readonly effective_at: Date
}

const COLUMNS = `id, revision, kind, device_id, model_id, customer_id, tag_key, overrides_id, is_off, part_of_id, field_id,
  operator_code, value_dec, value_text, clear_dec, minutes, joined_by, second_field_id, second_operator_code,
  second_value_dec, second_value_text, period_id, action_type_id, severity_id, effective_at`

/** Undefined for a field that the catalogue does not have. */
export function fieldPlace(fieldId: FieldId): FieldPlace | undefined {
  const numbered = numberedFieldById(fieldId)
  const layout = numbered && layoutByTypeId(numbered.type.id)
  if (!numbered || !layout) return undefined
  return { id: fieldId, layout, number: numbered.number, fieldIndex: layout.indexByName.get(numbered.field.name) ?? 0 }
}

const comparisonOf = (fieldId: FieldId, code: string, dec: number | null, text: string | null) => {
  const operator = operatorByCode(code)?.code
  const threshold = dec ?? text
  return operator === undefined || threshold === null ? undefined : { fieldId, operator, threshold }
}

/** Undefined for a comparison that this program does not know. */
function askedOf(row: ConditionRow): RequestedRule | undefined {
  const first = comparisonOf(row.field_id, row.operator_code, row.value_dec, row.value_text)
  const second =
    row.second_field_id === null
      ? undefined
      : comparisonOf(row.second_field_id, row.second_operator_code ?? '', row.second_value_dec, row.second_value_text)
  return (
    first && {
      kind: row.kind,
      first,
      second,
      joinedBy: row.joined_by ?? undefined,
      clearLevel: row.clear_dec ?? undefined,
      minutes: row.minutes ?? undefined,
    }
  )
}

const textOf = ({ first, ...asked }: RequestedRule, { period_id: periodId }: ConditionRow) =>
  conditionText({ ...asked, ...first, periodId })

/** Undefined for a row that this program cannot evaluate, such as one with a field that the catalogue no longer has. */
function ruleOf(row: ConditionRow): AlertRule | undefined {
  const asked = askedOf(row)
  const periodMs = periodMsOf(row.period_id)
  if (asked === undefined || periodMs === undefined) return undefined
  const { first } = asked
  const judged = judgedOf(asked)
  const fields = fieldsOf(asked)
  if (!judged || !fields) return undefined
  return {
    ...placeOf(row),
    revision: row.revision,
    wholeId: row.part_of_id ?? row.id,
    isPart: row.part_of_id !== null,
    kind: row.kind,
    ...first,
    fields,
    judged,
    waitMs: minutesMs(row.minutes ?? 0),
    periodId: row.period_id,
    periodMs,
    actionTypeId: row.action_type_id,
    isNotified: row.action_type_id === ALERT_ACTION.notify,
    severityId: row.severity_id,
    text: textOf(asked, row),
    effectiveAt: row.effective_at,
  }
}

const placeOf = (row: ConditionRow): PlacedCondition => ({
  id: row.id,
  deviceId: row.device_id ?? undefined,
  modelId: row.model_id ?? undefined,
  customerId: row.customer_id ?? undefined,
  tagKey: row.tag_key ?? undefined,
  overridesId: row.overrides_id ?? undefined,
  isOff: row.is_off,
})

export interface RequestedRule {
  readonly kind: ConditionKind
  readonly first: Comparison
  readonly second?: Comparison | undefined
  readonly joinedBy?: 'and' | 'or' | undefined
  readonly clearLevel?: number | undefined
  readonly minutes?: number | undefined
}

export function judgedOf({
  kind,
  first,
  second,
  joinedBy,
  clearLevel,
  minutes,
}: RequestedRule): JudgedCondition | undefined {
  switch (kind) {
    case 'level':
      return { kind, operator: first.operator, threshold: first.threshold, clearLevel }
    case 'pair':
      return second && { kind, joinedBy: joinedBy ?? 'and', sides: [first, second] }
    case 'change':
      return typeof first.threshold === 'number' && minutes !== undefined
        ? { kind, by: first.threshold, withinMs: minutesMs(minutes) }
        : undefined
    case 'absent':
    case 'silent':
    case 'dark':
      return { kind: 'absent' }
  }
}

/** The watched fields; none for a condition of the clock, undefined when one is not in the catalogue. */
export function fieldsOf({ kind, first, second }: RequestedRule): readonly FieldPlace[] | undefined {
  if (isClockKind(kind)) return []
  const ids = kind === 'pair' && second ? [first.fieldId, second.fieldId] : [first.fieldId]
  const places = ids.flatMap((id) => fieldPlace(id) ?? [])
  return places.length === ids.length ? places : undefined
}

/** Reads one condition as it stands in the database now; undefined when it was removed. */
export async function readAlertRule(queryable: Queryable, conditionId: number): Promise<AlertRule | undefined> {
  const { rows } = await queryable.query<ConditionRow>(
    `select ${COLUMNS} from alert_condition where id = $1 and deleted_at is null`,
    [conditionId],
  )
  return rows[0] && ruleOf(rows[0])
}

/** Describes the overrides that this transaction ended by `end_overrides_of_device`. */
export async function readEndedOverrides(statements: Statements, deviceId: DeviceId): Promise<readonly string[]> {
  const { rows } = await statements.query<ConditionRow>(
    `select ${COLUMNS} from alert_condition
     where device_id = $1 and overrides_id is not null and part_of_id is null and deleted_at = now() order by id`,
    [deviceId],
  )
  return rows.map((row) => {
    const asked = askedOf(row)
    return `${asked ? textOf(asked, row) : `Condition ${row.id}`}${row.is_off ? ' (switched off)' : ''}`
  })
}

/** All conditions by what they apply to. Every process holds them, and reads them again when one changes. */
export class AlertRules {
  /** A condition and its parts apply to the same devices, so their place is decided once. */
  readonly #places: ConditionPlaces<PlacedCondition>
  readonly #byCondition: ReadonlyMap<number, readonly AlertRule[]>

  /** The version that was read; undefined when there is nothing that could be outdated. */
  readonly version: string | undefined
  readonly watchedFields: WantedFields
  /** A bit for each component slot that any condition watches. */
  readonly watchedSlots: number
  readonly ofClock: readonly AlertRule[]

  /** @param known is returned itself when it is still current, because callers compare by identity */
  static async read(queryable: Queryable, known?: AlertRules): Promise<AlertRules> {
    // The version is read first: rules newer than their version are only read once more, older ones would go unnoticed.
    const versions = await queryable.query<{ version: string }>('select version::text from alert_rule_version')
    if (known?.version !== undefined && known.version === versions.rows[0]?.version) return known
    const { rows } = await queryable.query<ConditionRow>(
      `select ${COLUMNS} from alert_condition where deleted_at is null order by id`,
    )
    return new AlertRules(
      rows.flatMap((row) => ruleOf(row) ?? []),
      rows.filter(({ part_of_id }) => part_of_id === null).map(placeOf),
      versions.rows[0]?.version,
    )
  }

  constructor(rules: readonly AlertRule[], conditions: readonly PlacedCondition[], version?: string) {
    this.version = version
    const fields = rules.flatMap((rule) => rule.fields)
    const ordinals = new Set(
      fields.map(({ layout, fieldIndex }) => `${layout.type.id} ${layout.fields[fieldIndex]?.ordinal}`),
    )
    this.watchedFields = {
      eventTypeIds: [...new Set(fields.map(({ layout }) => layout.type.id))],
      isWanted: (eventTypeId, ordinal) => ordinals.has(`${eventTypeId} ${ordinal}`),
    }
    this.watchedSlots = fields.reduce((slots, field) => slots | slotBit(field), 0)
    this.ofClock = rules.filter((rule) => rule.fields.length === 0)
    this.#places = new ConditionPlaces(conditions)
    this.#byCondition = Map.groupBy(rules, ({ wholeId }) => wholeId)
  }

  /** Whether a device could have a condition that readings judge, before anything is known of it. */
  mayApplyTo(deviceId: DeviceId): boolean {
    return this.#places.mayApplyTo(deviceId)
  }

  /** The conditions that are judged on a device: all that cover it, except those that a narrower one replaces there. */
  of(device: PlacedDevice): readonly AlertRule[] {
    return this.#places.of(device).flatMap(({ id }) => this.#byCondition.get(id) ?? [])
  }
}

export interface ConditionCache {
  /** Returns a new object after every change. */
  readonly current: () => AlertRules
  readonly refresh: () => Promise<void>
}

const noRules = new AlertRules([], [])
export const NO_RULES: ConditionCache = { current: () => noRules, refresh: () => Promise.resolve() }
