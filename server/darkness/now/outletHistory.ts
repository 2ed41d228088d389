import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { OUTLET_HISTORY_MS, type Reading } from '#domain/darkness/facts.ts'
import type { DeviceId } from '#domain/ids.ts'
import { literal } from '#server/db/copying/pipelinedTransaction.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import type { Statements } from '#server/db/statements.ts'

interface Row {
  readonly device_id: DeviceId
  readonly topic: 'power-switch' | 'relay'
  readonly number: number
  readonly at: Date
  readonly port1_status: number | null
  readonly port2_status: number | null
}

export async function readOutletHistory(
  statements: Statements,
  deviceIds: readonly DeviceId[],
  now: Date,
): Promise<ReadonlyMap<DeviceId, ReadonlyMap<string, readonly Reading[]>>> {
  // The time is a literal in the text, so that the planner visits only the days in question.
  const since = literal(new Date(now.getTime() - OUTLET_HISTORY_MS).toISOString())
  const { rows } = await statements.query<Row>(
    `select device_id, topic, number, device_dt as at, port1_status, port2_status
     from (
       select device_id, 'power-switch' as topic, number, device_dt, port1_status, port2_status
       from readings_of_power_switch where device_id = any($1::int[]) and number is not null and device_dt > ${since} and ${isBelieved()}
       union all
       select device_id, 'relay', number, device_dt, port1_status, port2_status
       from readings_of_relay where device_id = any($1::int[]) and number is not null and device_dt > ${since} and ${isBelieved()}
     ) outlets order by device_dt`,
    [deviceIds],
  )
  return new Map(
    [...Map.groupBy(rows, ({ device_id }) => device_id)].map(([id, its]) => [
      id,
      Map.groupBy(its.flatMap(portsOf), ({ wireName }) => wireName),
    ]),
  )
}

/** A report may have the status of one port or of both. */
function portsOf({ topic, number, at, port1_status, port2_status }: Row) {
  const prefix = eventTypeByTopic(topic)?.prefixes[number - 1] ?? ''
  return Object.entries({ port1_status, port2_status }).flatMap(([name, value]) =>
    value === null ? [] : [{ wireName: prefix + name, value, at }],
  )
}
