import { MOST_SITE_DEVICES, SAME_ADDRESS_RADIUS_M, SITE_RADIUS_M } from '#domain/devices/site.ts'
import type { CustomerId, DeviceGuid, DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { readPlainAddress } from '#server/fleet/plainAddress.ts'
import { IS_WRONG } from '#server/fleet/wrongDevices.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'

export interface SiteDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly modelId: DeviceModelId
}

interface Place {
  readonly customerId: CustomerId
  readonly address: string
  readonly plainAddress: string | null
  readonly latitude: number | null
  readonly longitude: number | null
}

const PLACE = `
  select customer_id as "customerId", address, place_text as "plainAddress", latitude, longitude from device
  where id = $1 and deleted_at is null and ($2::integer is null or customer_id = $2)`

const METRES_A_DEGREE = 111_320
/** A degree of longitude shrinks to nothing at the poles, where a box would have no bounds. */
const NARROWEST_DEGREE = 0.01

/** $3 and $4 are its position, $5 its folded address or empty, $6 and $7 half the sides of a box in degrees. */
const SITE = `
  with candidate as materialized (
    select d.id, d.guid, d.name, d.model_id,
      case when ${IS_WRONG} then n.wrong_kinds & -n.wrong_kinds end as worst,
      $5 <> '' and d.place_text is not distinct from $5 as has_address,
      ${METRES_A_DEGREE} * sqrt((d.latitude - $3::float8) ^ 2
        + ((d.longitude - $4::float8) * cos(radians($3::float8))) ^ 2) as metres
    from device d left join device_now n on n.device_id = d.id
    where d.deleted_at is null and d.customer_id = $2 and (d.id = $1
      or (d.latitude between $3::float8 - $6 and $3::float8 + $6
        and d.longitude between $4::float8 - $7 and $4::float8 + $7)
      or hashtextextended(d.place_text, 0) = hashtextextended($5::text, 0)))
  select id, guid, name, model_id as "modelId", (count(*) over ())::integer as "all" from candidate
  where id = $1 or metres <= ${SITE_RADIUS_M} or has_address and coalesce(metres <= ${SAME_ADDRESS_RADIUS_M}, true)
  order by id <> $1, worst nulls last, metres nulls last, id limit ${MOST_SITE_DEVICES}`

/**
 * Finds the devices at the same place: the requested one first, then the worst at present and the nearest. Undefined
 * when the requested device does not exist within the scope.
 */
export async function findSite(queryable: Queryable, scope: Scope, deviceId: DeviceId) {
  const [place] = (await queryable.query<Place>(PLACE, [deviceId, customerOf(scope)])).rows
  if (!place) return undefined
  const { customerId, latitude, longitude } = place
  const address = (await readPlainAddress(place.address, place.plainAddress)) ?? ''
  const high = SITE_RADIUS_M / METRES_A_DEGREE
  const wide = high / Math.max(NARROWEST_DEGREE, Math.cos(((latitude ?? 0) * Math.PI) / 180))
  const { rows } = await queryable.query<SiteDevice & { all: number }>(SITE, [
    deviceId,
    customerId,
    latitude,
    longitude,
    address,
    high,
    wide,
  ])
  return {
    devices: rows.map(({ id, guid, name, modelId }): SiteDevice => ({ id, guid, name, modelId })),
    leftOut: (rows[0]?.all ?? 0) - rows.length,
  }
}
