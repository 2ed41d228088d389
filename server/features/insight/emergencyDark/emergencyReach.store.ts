import { CATEGORY } from '#domain/components/componentFields.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import { countryAt } from '#server/fleet/countryAt.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'

/** Whose displays are meant; what is absent narrows nothing. */
export interface Reach {
  readonly customerId?: CustomerId | undefined
  readonly country?: string | undefined
  readonly place?: string | undefined
  readonly tag?: string | undefined
}

export interface ReachedDevice {
  readonly id: DeviceId
  readonly timeZone: string
  readonly displays: number
  readonly isOnline: boolean
}

interface Row extends ReachedDevice {
  readonly latitude: number | null
  readonly longitude: number | null
}

/**
 * Finds the devices with displays that an emergency reaches.
 *
 * @returns them, and how many are left out because nobody knows in which country they are
 */
export async function readReached(
  db: Db | Tx,
  scope: Scope,
  { customerId, country, place, tag }: Reach,
): Promise<{ readonly devices: readonly ReachedDevice[]; readonly unknownPlace: number }> {
  const needles = place ? (await import('#domain/devices/searchText.ts')).placeNeedles(place) : null
  const { rows } = await statementsOf(db).query<Row>(
    `select d.id, d.time_zone as "timeZone", d.latitude, d.longitude,
       exists (select from device_connection c join server_process p on p.id = c.process_id
               where c.device_id = d.id and not c.is_silent and p.lease_until > now()) as "isOnline",
       (select count(*)::integer from device_component k where k.device_id = d.id and k.category_id = $5) as displays
     from device d
     where d.deleted_at is null and d.status_id <> $6 and ($1::integer is null or d.customer_id = $1)
       and ($2::integer is null or d.customer_id = $2) and ($3::text is null or d.tag_keys @> array[$3])
       and ($4::text[] is null or (select bool_and(position(w.needle in d.place_text) > 0) from unnest($4) as w (needle)))
       and exists (select from device_component k where k.device_id = d.id and k.category_id = $5)
     order by d.id`,
    [
      ...[customerOf(scope), customerId ?? null, tag ? tagKey(tag) : null, needles],
      ...[CATEGORY.display, DEVICE_STATUS.deactivated],
    ],
  )
  if (country === undefined) return { devices: rows, unknownPlace: 0 }
  const placed = rows.map((row) => ({ row, country: countryOf(row) }))
  return {
    devices: placed.filter((one) => one.country === country).map(({ row }) => row),
    unknownPlace: placed.filter((one) => one.country === undefined).length,
  }
}

const countryOf = ({ latitude, longitude }: Row) =>
  latitude === null || longitude === null ? undefined : countryAt(latitude, longitude)
