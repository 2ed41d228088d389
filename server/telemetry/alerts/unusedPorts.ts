import { usedSides } from '#domain/alerts/usedSides.ts'
import { type PortsOfSwitch, unusedPortFields } from '#domain/components/unusedPorts.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { WatchedRule } from './conditionReadings.ts'

/** SQL for the network switches of a device that have unused ports, for `unusedFieldsOf`; null when there are none. */
export const SWITCHES_SQL = (deviceId: string) => `(
  select json_agg(json_build_object('number', number, 'unusedPorts', unused_ports))
  from device_component where device_id = ${deviceId} and unused_ports <> '{}')`
export type SwitchesColumn = readonly PortsOfSwitch[] | null

const NONE: ReadonlySet<FieldId> = new Set()

export const unusedFieldsOf = (switches: SwitchesColumn): ReadonlySet<FieldId> =>
  switches === null ? NONE : unusedPortFields(switches)

export async function readUnusedFields(queryable: Queryable, deviceId: DeviceId): Promise<ReadonlySet<FieldId>> {
  const { rows } = await queryable.query<{ switches: SwitchesColumn }>(`select ${SWITCHES_SQL('$1')} as switches`, [
    deviceId,
  ])
  return unusedFieldsOf(rows[0]?.switches ?? null)
}

/** Undefined when the condition is not judged on this device. `condition_applies` must decide the same in SQL. */
export function ruleBesideUnused<Rule extends WatchedRule>(rule: Rule, unused: ReadonlySet<FieldId>): Rule | undefined {
  if (unused.size === 0) return rule
  const { judged, fields } = rule
  const used = usedSides(
    fields.map(({ id }) => id),
    judged.kind === 'pair' ? judged.joinedBy : 'and',
    unused,
  )
  if (used.length === fields.length) return rule
  const side = fields.findIndex(({ id }) => id === used[0])
  const field = fields[side]
  if (judged.kind !== 'pair' || field === undefined) return undefined
  const { operator, threshold } = judged.sides[side === 0 ? 0 : 1]
  return { ...rule, fields: [field], judged: { kind: 'level', operator, threshold, clearLevel: undefined } }
}
