import type pg from 'pg'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { OwedDevice } from '#domain/statement/lightStatement.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import { notFound } from '#server/http/call/callError.ts'

/** The devices of a customer that something is told about; all where nothing narrows them. */
export interface ChosenSubject {
  readonly customerId: CustomerId
  readonly tag?: string | undefined
  readonly place?: string | undefined
  readonly deviceId?: DeviceId | undefined
}

export interface Period {
  readonly from: LocalDate
  readonly to: LocalDate
}

/** Says in words which devices were chosen. */
export async function subjectText(pool: pg.Pool, { customerId, tag, place, deviceId }: ChosenSubject): Promise<string> {
  if (deviceId !== undefined) {
    const name = await readDeviceName(pool, { customerId, deviceId })
    if (name === undefined) throw notFound()
    return name
  }
  const parts = [...(tag ? [`tag “${tag}”`] : []), ...(place ? [`place “${place}”`] : [])]
  return parts.length === 0 ? 'All devices' : `Devices with ${parts.join(' and ')}`
}

async function readDeviceName(pool: pg.Pool, { customerId, deviceId }: ChosenSubject) {
  const { rows } = await pool.query<{ name: string }>(
    `select coalesce((select name from device where id = $2 and customer_id = $1 and deleted_at is null),
       (select name from device_departure where device_id = $2 and customer_id = $1 order by left_at desc limit 1)) as name`,
    [customerId, deviceId],
  )
  return rows[0]?.name ?? undefined
}

/**
 * Reads the times for which devices count for the customer, as they are kept for its sums. A device that has left is
 * called as it was then; where it is now and its present tags are not the customer's to see.
 */
export async function readOwedDevices(
  pool: pg.Pool,
  { customerId, tag, place, deviceId }: ChosenSubject,
  { from, to }: Period,
): Promise<readonly OwedDevice[]> {
  // The table of all letters is large, and most servers at rest are never asked for a place.
  const needles = place ? (await import('#domain/devices/searchText.ts')).placeNeedles(place) : null
  const { rows } = await pool.query<OwedDevice & { beginsAt: Date | null }>(
    `select d.id, d.guid, coalesce(p.name, d.name) as name, coalesce(p.address, d.address) as address,
       s.time_zone as "timeZone", to_char(s.first_day, 'YYYY-MM-DD') as "firstDay", s.begins_at as "beginsAt",
       to_char(s.owned_to, 'YYYY-MM-DD') as "lastDay", d.customer_id <> s.customer_id as "hasLeft"
     from dark_span s join device d on d.id = s.device_id and d.deleted_at is null
     left join device_departure p on p.device_id = s.device_id and p.customer_id = s.customer_id and p.last_day = s.owned_to
     where s.customer_id = $1 and s.first_day <= $3 and (s.owned_to is null or s.owned_to >= greatest($2, s.first_day))
       and ($4::text is null or (d.customer_id = s.customer_id and $4 = any (d.tag_keys)))
       and ($5::text[] is null or (d.customer_id = s.customer_id
         and (select bool_and(position(w.needle in d.place_text) > 0) from unnest($5) as w (needle))))
       and ($6::integer is null or d.id = $6)
     order by d.id, s.owned_from`,
    [customerId, from, to, tag ? tagKey(tag) : null, needles, deviceId ?? null],
  )
  return rows.map(({ beginsAt, timeZone, ...row }) => ({
    ...row,
    timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
    beginsMs: beginsAt?.getTime() ?? null,
  }))
}
