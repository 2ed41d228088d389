import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { CustomerId, IncidentId } from '#domain/ids.ts'
import type { NotifiedState } from '#domain/notifications/messageNews.ts'
import type { Route } from '#domain/notifications/routing.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { MAINTAINED_AT } from '#server/mail/alerts/heldAlerts.ts'
import type { QuietHours } from './channelRows.ts'

/** This name stands for everybody who may see it and has alert e-mails. */
export const READERS_NAME = 'Everybody with alert e-mails'

/** A step of a route goes to a channel, to whoever is on call, or to everybody with alert e-mails. */
export type RouteStep = { readonly afterMinutes: number } & (
  | { readonly channelId: number }
  | { readonly rotaId: number }
  | { readonly readers: true }
)

export interface RouteRow extends Route {
  readonly id: number
  readonly name: string
  readonly customerId: CustomerId | null
  readonly ofCustomerId: CustomerId | null
  readonly steps: readonly RouteStep[]
}

/** Reads all enabled routes, in the order in which they were made. */
export async function readRoutes(queryable: Queryable): Promise<RouteRow[]> {
  const { rows } = await queryable.query<RouteRow>(
    `select id, name, customer_id as "customerId", of_customer_id as "ofCustomerId", severity_id as "severityId", tag,
       tag_key as "tagKey", hours, steps from notify_route where is_on and deleted_at is null order by id`,
  )
  return rows
}

export interface Facts {
  readonly tagKeys: ReadonlySet<string>
  readonly isQuiet: boolean
  readonly isPaired: boolean
  readonly notifies: boolean
}

/** @returns by incident and share, as `factsKey` */
export async function readFacts(
  queryable: Queryable,
  ids: readonly IncidentId[],
  now: Date,
): Promise<ReadonlyMap<string, Facts>> {
  const { rows } = await queryable.query<{
    incident_id: number
    customer_id: number
    tags: string[]
    is_quiet: boolean
    is_paired: boolean
    notifies: boolean
  }>(
    `with own as (
       select distinct p.incident_id, p.customer_id, p.device_id, p.alert_id from incident_part p
       where p.incident_id = any($2::bigint[])),
     judged as (
       select own.incident_id, own.customer_id, d.tag_keys,
         d.status_id <> $3 or m.device_id is not null as is_quiet, d.status_id = $3 as is_paired,
         a.action_type_id = 1 and a.withdrawn_at is null as notifies
       from own join device d on d.id = own.device_id
       join alert a on a.device_id = own.device_id and a.id = own.alert_id
       left join (${MAINTAINED_AT('$1')}) m on m.device_id = own.device_id)
     select judged.incident_id::float8 as incident_id, judged.customer_id, bool_and(is_quiet) as is_quiet,
       bool_or(is_paired) as is_paired,
       bool_or(notifies) as notifies, coalesce(array_agg(distinct tag) filter (where tag is not null), '{}') as tags
     from judged left join lateral unnest(judged.tag_keys) as tag on true
     group by judged.incident_id, judged.customer_id`,
    [now, ids, DEVICE_STATUS.active],
  )
  const facts = new Map<string, Facts>()
  for (const [id, own] of Map.groupBy(rows, ({ incident_id }) => incident_id)) {
    const parts = own.map(({ tags, is_quiet: isQuiet, is_paired: isPaired, notifies }) => ({
      tagKeys: new Set(tags),
      isQuiet,
      isPaired,
      notifies,
    }))
    for (const [index, { customer_id }] of own.entries()) facts.set(factsKey(id, customer_id), parts[index] as Facts)
    facts.set(factsKey(id, 0), {
      tagKeys: new Set(parts.flatMap(({ tagKeys }) => [...tagKeys])),
      isQuiet: parts.every(({ isQuiet }) => isQuiet),
      isPaired: parts.some(({ isPaired }) => isPaired),
      notifies: parts.some(({ notifies }) => notifies),
    })
  }
  return facts
}

export const factsKey = (incidentId: number, shareId: number): string => `${incidentId} ${shareId}`

export interface RunRow {
  readonly id: number
  readonly incidentId: IncidentId
  readonly shareId: number
  readonly routeId: number
  readonly beganAt: Date
  readonly stepsDone: number
}

/** The run that is further counts when two incidents became one. */
export async function readRuns(queryable: Queryable, ids: readonly IncidentId[]): Promise<RunRow[]> {
  const { rows } = await queryable.query<RunRow>(
    `select distinct on (incident_id, share_id, route_id) id::float8 as id, incident_id::float8 as "incidentId",
       share_id as "shareId", route_id as "routeId", began_at as "beganAt", steps_done as "stepsDone"
     from incident_run where incident_id = any($1::bigint[])
     order by incident_id, share_id, route_id, steps_done desc, began_at`,
    [ids],
  )
  return rows
}

export interface MessageRow {
  readonly id: number
  readonly incidentId: IncidentId
  readonly shareId: number
  readonly channelId: number
  readonly told: NotifiedState | null
  readonly toldAt: Date | null
  readonly timesOver: number
  readonly nextAt: Date | null
  readonly wantedAt: Date
  readonly hasOwn: boolean
  readonly kind: string
  readonly channelName: string
  readonly channelCustomerId: CustomerId | null
  readonly quiet: QuietHours | null
}

/** Reads messages that are not given up. */
export async function readMessages(queryable: Queryable, ids: readonly IncidentId[]): Promise<MessageRow[]> {
  const { rows } = await queryable.query<MessageRow>(
    `select m.id::float8 as id, m.incident_id::float8 as "incidentId", m.share_id as "shareId",
       m.channel_id as "channelId", m.told, m.told_at as "toldAt", m.times_over as "timesOver", m.next_at as "nextAt",
       m.wanted_at as "wantedAt", m.has_own as "hasOwn", c.kind, c.quiet, c.name as "channelName",
       c.customer_id as "channelCustomerId"
     from incident_message m join channel c on c.id = m.channel_id
     where m.incident_id = any($1::bigint[]) and m.given_up_at is null order by m.id`,
    [ids],
  )
  return rows
}

export interface TargetChannel {
  readonly id: number
  readonly name: string
  readonly customerId: CustomerId | null
  readonly isOn: boolean
}

export async function readTargets(queryable: Queryable): Promise<ReadonlyMap<number, TargetChannel>> {
  const { rows } = await queryable.query<TargetChannel>(
    `select id, name, customer_id as "customerId", is_on as "isOn" from channel
     where deleted_at is null and user_id is null`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
