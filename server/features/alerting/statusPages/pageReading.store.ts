import type { LightKind } from '#domain/darkness/minutes/darkMinutes.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { CustomerId, FieldId, IncidentId } from '#domain/ids.ts'
import { AVAILABILITY_DAYS, PAST_DAYS } from '#domain/statusPages/pageRules.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { statementsOf } from '#server/db/statements.ts'
import { deviceThen } from '#server/http/call/history.store.ts'
import { MAINTAINED_AT } from '#server/mail/alerts/heldAlerts.ts'
import { secretHash } from '#server/secrets/secretHash.ts'

export interface FoundPage {
  readonly customerId: CustomerId
  readonly customerName: string
  readonly mode: 'public' | 'secret'
  readonly title: string
  readonly note: string
  readonly tagKey: string
  readonly placePrefix: string
  readonly severityId: number | null
  readonly showsPlanned: boolean
  readonly takesSubscribers: boolean
  /** The ids of feed entries are derived from this. */
  readonly feedSalt: string
  readonly updatedAt: Date
}

export interface ShownDevice {
  readonly name: string
  readonly tags: readonly string[]
  /** The light of the present verdict, null when it is not known. */
  readonly light: string | null
  /** The moment since when, in ISO 8601; null when it is not known. */
  readonly lightSince: string | null
  /** The light may have been so even before. */
  readonly lightIsAtLeast: boolean
  /** An active incident on this page includes the device. */
  readonly hasIncident: boolean
}

export interface ShownIncident {
  readonly id: IncidentId
  readonly fieldId: FieldId
  readonly deviceCount: number
  readonly deviceName: string
  readonly began: string
  readonly acknowledged: string | null
  /** Null while the incident lasts. */
  readonly over: string | null
  readonly darkCount: number
}

export interface ShownWork {
  readonly id: number
  readonly reason: string
  readonly from: string
  readonly to: string
  readonly deviceCount: number
}

export interface ShownDay {
  readonly day: string
  readonly lit: number
  readonly unplanned: number
}

export interface PageContent {
  readonly devices: readonly ShownDevice[]
  readonly timeZone: string | null
  readonly incidents: readonly ShownIncident[]
  readonly work: readonly ShownWork[]
  /** Null when availability is not kept, or when the page shows only some of the devices. */
  readonly days: readonly ShownDay[] | null
}

/** The public reads this as dark (domain/statusPages/pageLabels.ts). */
const DARK: LightKind = 'unplanned'
const MOST_DEVICES = 5000
const MOST_INCIDENTS = 100
const MOST_WORK = 20
/** A single window is announced this far ahead; a weekly one is announced a day ahead. */
const WORK_AHEAD_DAYS = 30

/** @param address is a name or a secret */
export async function findPage(db: Db, address: string): Promise<FoundPage | undefined> {
  const { rows } = await statementsOf(db).query<FoundPage>(
    `select p.customer_id as "customerId", c.name as "customerName", p.mode, p.title, p.note, p.tag_key as "tagKey", p.place_prefix as "placePrefix",
       p.severity_id as "severityId", p.shows_planned as "showsPlanned", p.takes_subscribers as "takesSubscribers",
       p.feed_salt as "feedSalt", p.updated_at as "updatedAt"
     from status_page p join customer c on c.id = p.customer_id and c.is_active
     where (p.mode = 'public' and p.slug = $1) or (p.mode = 'secret' and p.secret_hash = $2)`,
    [address, secretHash(address)],
  )
  return rows[0]
}

const OVER = 'case when bool_or(part.over_at is null) then null else max(part.over_at) end'

const ACTIVE_DEVICES = 'count(distinct part.device_id) filter (where part.over_at is null)'

/**
 * SQL: the incidents of a page, counted by their active parts when there are any. A part belongs to the customer who
 * had the device then; the tags of a device that has left are unknown.
 * @param page has the columns `customer_id`, `tag_key` and `severity_id`
 */
export const INCIDENTS_OF_PAGE = (page: string, now: string, overSince: string) => `
  select s.incident_id::float8 as id, i.acknowledged_at, ${page}.customer_id, coalesce(nullif(${ACTIVE_DEVICES}, 0), count(distinct part.device_id))::int as devices,
    min(part.raised_at) as began_at, ${OVER} as over_at,
    (array_agg(json_build_object('field', part.field_id, 'name', ${deviceThen('name', 'part', 'raised_at', 'd')})
       order by part.over_at is not null, part.raised_at, part.alert_id))[1] as cause,
    array_agg(distinct part.device_id) filter (where part.over_at is null) as device_ids, i.created_at, bool_and(work.device_id is not null) as is_quiet
  from incident_share s join incident i on i.id = s.incident_id
  join incident_part part on part.incident_id = s.incident_id and part.customer_id = ${page}.customer_id
  join device d on d.id = part.device_id
    and (${page}.tag_key = '' or (d.customer_id = ${page}.customer_id and ${page}.tag_key = any(d.tag_keys)))
  left join (${MAINTAINED_AT(now)}) work on work.device_id = part.device_id
  where s.customer_id = ${page}.customer_id and (s.over_at is null or s.over_at > ${overSince})
  group by s.incident_id, i.acknowledged_at, i.created_at, ${page}.customer_id, ${page}.severity_id
  having min(part.severity_id) <= ${page}.severity_id and coalesce(${OVER} > ${overSince}, true)`

const DEVICES_OF_PAGE = (page: string) =>
  `d.customer_id = ${page}.customer_id and d.deleted_at is null and d.status_id = ${DEVICE_STATUS.active}
   and (${page}.tag_key = '' or ${page}.tag_key = any(d.tag_keys))`

/**
 * SQL: maintenance of devices on a page of which the customer is notified.
 * @param now SQL
 */
export const WORK_OF_PAGE = (page: string, now: string) => `
  select w.id, w.reason, w.from_at, w.to_at, count(*)::int as devices, ${page}.customer_id
  from (
    select w.id, w.reason, w.target_kind, w.customer_id, w.target_device_id, w.target_device_ids, w.tag_key, t.from_at,
      t.to_at
    from maintenance_window w cross join lateral (
      select o.from_at, o.to_at from maintenance_occurrence o where o.window_id = w.id and o.to_at > ${now}
      union
      select w.from_at, w.to_at where w.from_at > ${now} and w.from_at < ${now} + interval '${WORK_AHEAD_DAYS} days') t
    where w.tells_customer and w.ended_at is null and w.ends_at > ${now}
      and (w.customer_id is null or w.customer_id = ${page}.customer_id)) w
  join device d on ${DEVICES_OF_PAGE(page)}
    and case w.target_kind when 'device' then d.id = w.target_device_id when 'tag' then w.tag_key = any(d.tag_keys)
      when 'devices' then d.id = any(w.target_device_ids) else true end
  group by w.id, w.reason, w.from_at, w.to_at`

/** Reads a whole page by one statement, from the newest state of each device. */
const CONTENT = `
  with page as (
    select $1::int as customer_id, $2::text as tag_key, $3::smallint as severity_id, $4::boolean as shows_planned),
  shown as materialized (
    select d.id, d.name, d.name_order, d.tags, d.time_zone, n.light, n.light_since, coalesce(n.light_is_at_least, false) as light_is_at_least from page join device d on ${DEVICES_OF_PAGE('page')}
    left join device_now n on n.device_id = d.id and n.customer_id = page.customer_id
    -- Without displays there is no light to be known.
    where n.light is not null or n.is_silent is null
    order by d.name_order, d.id limit ${MOST_DEVICES}),
  known as materialized (
    select found.* from page cross join lateral (${INCIDENTS_OF_PAGE('page', '$5::timestamptz', `$5::timestamptz - interval '${PAST_DAYS} days'`)}) found),
  happened as (
    select known.*, (select count(*)::int from shown where shown.light = '${DARK}' and shown.id = any(known.device_ids)) as dark
    from known order by known.over_at is not null, known.began_at desc, id desc limit ${MOST_INCIDENTS}),
  explained as materialized (
    select distinct unnest(device_ids) as id from known where over_at is null),
  planned as (
    select found.* from page cross join lateral (${WORK_OF_PAGE('page', '$5::timestamptz')}) found
    where page.shows_planned order by found.from_at, id limit ${MOST_WORK})
  select
    coalesce((select json_agg(json_build_object('name', name, 'tags', tags, 'light', light, 'lightSince', light_since,
      'lightIsAtLeast', light_is_at_least,
      'hasIncident', explained.id is not null) order by shown.name_order, shown.id) from shown left join explained using (id)), '[]') as devices,
    (select mode() within group (order by time_zone) from shown) as "timeZone",
    coalesce((select json_agg(json_build_object('id', id, 'fieldId', (cause ->> 'field')::int, 'deviceCount', devices,
      'deviceName', coalesce(cause ->> 'name', ''), 'began', began_at, 'acknowledged', acknowledged_at, 'over', over_at, 'darkCount', dark)) from happened), '[]')
      as incidents,
    coalesce((select json_agg(json_build_object('id', id, 'reason', reason, 'from', from_at, 'to', to_at,
      'deviceCount', devices)) from planned), '[]') as work,
    case when u.customer_id is not null then (
      select coalesce(json_agg(json_build_object('day', k.day, 'lit', k.lit_min, 'unplanned', k.unplanned_min) order by k.day),
        '[]') from customer_dark_day k where k.customer_id = u.customer_id and k.day < $5::date
        and k.day >= $5::date - ${AVAILABILITY_DAYS}) end as days
  from page left join dark_summed u on u.customer_id = page.customer_id and page.tag_key = ''`

export async function readContent(db: Db, page: FoundPage, now: Date): Promise<PageContent> {
  const read = await statementsOf(db).query<PageContent>(CONTENT, [
    page.customerId,
    page.tagKey,
    page.severityId,
    page.showsPlanned,
    now,
  ])
  return onlyRow(read)
}
