import type pg from 'pg'
import { CATEGORY } from '#domain/components/componentFields.ts'
import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'
import type { CustomerId, DeviceGuid, DeviceId } from '#domain/ids.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'

export interface PlayDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly displayNumbers: readonly number[]
  /** When it was the caller's. Plays of other times are not theirs to see. */
  readonly times: readonly Span[]
}

interface DeviceRow extends Omit<PlayDevice, 'times'> {
  readonly customerId: CustomerId
}

interface DepartureRow {
  readonly deviceId: DeviceId
  readonly customerId: CustomerId
  readonly leftAt: Date
  readonly name: string
}

/** Finds devices by their ids and GUIDs, and leaves out those that were never the caller's. */
export async function findPlayDevices(
  pool: pg.Pool,
  scope: Scope,
  { ids, guids }: { readonly ids: readonly number[]; readonly guids: readonly string[] },
): Promise<readonly PlayDevice[]> {
  const { rows } = await pool.query<DeviceRow>(
    `select d.id, d.guid, d.name, d.customer_id as "customerId",
       array(select k.number from device_component k where k.device_id = d.id and k.category_id = $3
         order by k.number) as "displayNumbers"
     from device d where d.deleted_at is null and (d.id = any ($1::integer[]) or d.guid = any ($2::uuid[]))`,
    [ids, guids, CATEGORY.display],
  )
  const departures = await readDepartures(
    pool,
    scope,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((row) => {
    const { id, guid, displayNumbers } = row
    const left = departures.get(id) ?? []
    const times = timesOf(row, left, scope)
    if (times.length === 0) return []
    const owner = customerOf(scope)
    // Another customer's device is called as it was when it left.
    const name =
      owner === null || row.customerId === owner
        ? row.name
        : (left.findLast((one) => one.customerId === owner)?.name ?? '')
    return [{ id, guid, name, displayNumbers, times }]
  })
}

const ALWAYS: Span = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

/** A moment belongs to whoever had the device then (rules/proof 5). */
function timesOf({ customerId }: DeviceRow, left: readonly DepartureRow[], scope: Scope): readonly Span[] {
  const owner = customerOf(scope)
  if (owner === null) return [ALWAYS]
  const ends = left.map(({ leftAt }) => leftAt.getTime())
  return [...left.map((one) => one.customerId), customerId].flatMap((one, index) => {
    const fromMs = ends[index - 1] ?? ALWAYS.fromMs
    const toMs = ends[index] ?? ALWAYS.toMs
    return one === owner && fromMs < toMs ? [{ fromMs, toMs }] : []
  })
}

/** Staff see all times, so nobody has to ask for theirs. */
async function readDepartures(pool: pg.Pool, scope: Scope, ids: readonly DeviceId[]) {
  if (customerOf(scope) === null) return new Map<DeviceId, readonly DepartureRow[]>()
  const { rows } = await pool.query<DepartureRow>(
    `select device_id as "deviceId", customer_id as "customerId", left_at as "leftAt", name
     from device_departure where device_id = any ($1::integer[]) order by left_at`,
    [ids],
  )
  return Map.groupBy(rows, ({ deviceId }) => deviceId)
}
