import { fieldsOfComponent } from '#domain/catalogue/fieldId.ts'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { DeviceId } from '#domain/ids.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { isoText } from '#server/telemetry/ingress/deviceTime.ts'
import { EVENT_LAYOUTS, type EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import type { FieldReading } from '#server/telemetry/state/currentState.ts'

/** A reading at the time when it arrived, because the real time is unknown. */
export interface ClaimedReading extends FieldReading {
  readonly claimedAt: Date
}

const NEWEST_ROWS = 20

interface Row {
  readonly type_id: number
  readonly number: number
  readonly at: Date
  readonly claimed_at: Date
  readonly values: readonly (number | string | null)[]
}

/** Reads the newest value of each field that arrived within the offline limit under an unbelievable clock. */
export async function readClaimedReadings(
  queryable: Queryable,
  deviceId: DeviceId,
  now: Date,
): Promise<readonly ClaimedReading[]> {
  const since = isoText(now.getTime() - OFFLINE_AFTER_MS)
  const parts = EVENT_LAYOUTS.map((layout) => newestSql(layout, since))
  const { rows } = await queryable.query<Row>(`${parts.join(' union all ')} order by at desc`, [deviceId])
  const found = new Map<number, ClaimedReading>()
  for (const row of rows) {
    for (const reading of readingsOf(row)) if (!found.has(reading.numbered.id)) found.set(reading.numbered.id, reading)
  }
  return [...found.values()]
}

const newestSql = ({ type, table, columns }: EventLayout, since: string) => `
  (select ${type.id} as type_id, number, device_dt as at, claimed_at, json_build_array(${columns.join(',')}) as values
   from ${table} where device_id = $1 and number is not null and device_dt > '${since}' and not ${isBelieved()}
   order by device_dt desc limit ${NEWEST_ROWS})`

function readingsOf({ type_id, number, at, claimed_at: claimedAt, values }: Row): ClaimedReading[] {
  const layout = EVENT_LAYOUTS.find(({ type }) => type.id === type_id)
  const byName = new Map(fieldsOfComponent(type_id, number).map((numbered) => [numbered.field.name, numbered]))
  return values.flatMap((value, index) => {
    const numbered = byName.get(layout?.fields[index]?.name ?? '')
    return value === null || numbered === undefined ? [] : [{ numbered, value, at, claimedAt }]
  })
}

/** Lays claimed readings over fields whose believed reading is missing or too old to be current. */
export function withClaimed(
  readings: readonly FieldReading[],
  claimed: readonly ClaimedReading[],
): readonly (FieldReading | ClaimedReading)[] {
  const byField = new Map<number, FieldReading | ClaimedReading>(readings.map((one) => [one.numbered.id, one]))
  for (const one of claimed) {
    const known = byField.get(one.numbered.id)
    if (known === undefined || one.at.getTime() - known.at.getTime() > OFFLINE_AFTER_MS)
      byField.set(one.numbered.id, one)
  }
  return [...byField.values()]
}
