import type { CustomerId, UserId } from '#domain/ids.ts'
import type { WeekHours } from '#domain/notifications/routing.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'
import { NOTICES_JOB } from '#server/incidents/dueRows.ts'
import { OF_ALL } from '#server/incidents/incidentRows.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { RECEIVES_ALERT_MAILS } from '#server/mail/alerts/isNotified.ts'
import type { RouteStep } from '#server/notifications/judgedRows.ts'

export interface WrittenRoute {
  readonly name: string
  readonly isOn: boolean
  readonly severityId: number
  readonly ofCustomerId: CustomerId | null
  readonly tag: string
  readonly hours: WeekHours | null
  readonly steps: readonly RouteStep[]
}

export interface ListedRoute extends WrittenRoute {
  readonly id: number
  readonly customerId: CustomerId | null
  readonly customerName: string | null
  readonly ofCustomerName: string | null
  readonly isDefault: boolean
}

interface ReadRoutes {
  readonly id?: number
  /** The default of staff notifies a customer's people as well. */
  readonly withDefault?: true
}

/** Reads the routes of the scope, or the one of an id. */
export async function readListedRoutes(
  db: Db | Tx,
  scope: Scope,
  { id, withDefault }: ReadRoutes = {},
): Promise<ListedRoute[]> {
  const { rows } = await statementsOf(db).query<ListedRoute>(
    `select r.id, r.name, r.is_on as "isOn", r.severity_id as "severityId", r.customer_id as "customerId",
       c.name as "customerName", r.of_customer_id as "ofCustomerId", o.name as "ofCustomerName", r.tag, r.hours, r.steps,
       r.is_default as "isDefault"
     from notify_route r left join customer c on c.id = r.customer_id left join customer o on o.id = r.of_customer_id
     where r.deleted_at is null and ($2::int is null or r.id = $2)
       and ($1::int is null or r.customer_id = $1
         or ($3 and r.is_default and coalesce(r.of_customer_id, $1) = $1 and r.steps @> '[{"readers": true}]'))
     order by r.is_default desc, r.id`,
    [customerOf(scope), id ?? null, withDefault ?? false],
  )
  return rows
}

export const findRoute = async (db: Db | Tx, scope: Scope, id: number): Promise<ListedRoute | undefined> =>
  (await readListedRoutes(db, scope, { id }))[0]

/** Counts by customer who receives alert e-mails, within the scope; staff have the customer 0. */
export async function countMailReaders(db: Db, scope: Scope): Promise<ReadonlyMap<number, number>> {
  const { rows } = await statementsOf(db).query<{ customerId: number; count: number }>(
    `select coalesce(u.customer_id, 0) as "customerId", count(*)::int as count from app_user u
     where ($1::int is null or u.customer_id = $1) and ${RECEIVES_ALERT_MAILS} group by u.customer_id`,
    [customerOf(scope)],
  )
  return new Map(rows.map(({ customerId, count }) => [customerId, count]))
}

export async function addRoute(
  transaction: Tx,
  { name, isOn, severityId, ofCustomerId, tag, hours, steps }: WrittenRoute,
  { customerId, tagKey, by }: { readonly customerId: CustomerId | null; readonly tagKey: string; readonly by: UserId },
): Promise<number> {
  const inserted = await statementsOf(transaction).query<{ id: number }>(
    `insert into notify_route (name, is_on, severity_id, of_customer_id, tag, tag_key, hours, steps, customer_id, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      name,
      isOn,
      severityId,
      ofCustomerId,
      tag,
      tagKey,
      hours && JSON.stringify(hours),
      JSON.stringify(steps),
      customerId,
      by,
    ],
  )
  return onlyRow(inserted).id
}

export async function changeRoute(
  transaction: Tx,
  id: number,
  { name, isOn, severityId, ofCustomerId, tag, hours, steps }: WrittenRoute,
  tagKey: string,
): Promise<void> {
  await statementsOf(transaction).query(
    `update notify_route set name = $2, is_on = $3, severity_id = $4, of_customer_id = $5, tag = $6, tag_key = $7,
       hours = $8, steps = $9 where id = $1`,
    [id, name, isOn, severityId, ofCustomerId, tag, tagKey, hours && JSON.stringify(hours), JSON.stringify(steps)],
  )
}

/** The incidents of a route, for deciding which active ones it has to notify about. */
interface ActiveOf {
  /** The id of the route; 0 for one that is not stored yet. */
  readonly id: number
  readonly shareId: number
  readonly severityId: number
  readonly tagKey: string
}

/** Active incidents that match the route, have no owner, and have not been notified by it. */
const ACTIVE = `
  select distinct s.incident_id from incident_share s
  join incident i on i.id = s.incident_id and i.acknowledged_at is null and (i.snoozed_until is null or i.snoozed_until <= now())
  join incident_part p on p.incident_id = s.incident_id and ($1 = ${OF_ALL} or p.customer_id = $1)
  join device d on d.id = p.device_id and ($3 = '' or $3 = any(d.tag_keys))
  left join incident_run r on r.incident_id = s.incident_id and r.route_id = $4
  where s.customer_id = $1 and s.state_id = 0 and s.severity_id <= $2 and r.id is null`

const valuesOf = ({ id, shareId, severityId, tagKey }: ActiveOf) => [shareId, severityId, tagKey, id]

export async function countActive(db: Db | Tx, of: ActiveOf): Promise<number> {
  const counted = await statementsOf(db).query<{ count: number }>(
    `select count(*)::int as count from (${ACTIVE}) active`,
    valuesOf(of),
  )
  return onlyRow(counted).count
}

/**
 * Makes these incidents due, so that the route starts for them.
 * @returns their number
 */
export async function notifyOfActive(transaction: Tx, of: ActiveOf): Promise<number> {
  const statements = statementsOf(transaction)
  const { rows } = await statements.query<{ id: number }>(
    `insert into notify_due (incident_id, due_at) select incident_id, now() from (${ACTIVE}) active order by incident_id
     on conflict (incident_id) do update set due_at = least(notify_due.due_at, excluded.due_at) returning incident_id as id`,
    valuesOf(of),
  )
  if (rows.length > 0) await statements.query(ringSql(NOTICES_JOB))
  return rows.length
}

export async function removeRoute(transaction: Tx, id: number): Promise<void> {
  await statementsOf(transaction).query('update notify_route set deleted_at = now() where id = $1', [id])
}

export interface Named {
  readonly id: number
  readonly name: string
  readonly customerId: CustomerId | null
}

export async function readNamed(db: Db | Tx, what: 'channel' | 'rota'): Promise<ReadonlyMap<number, Named>> {
  const { rows } = await statementsOf(db).query<Named>(
    what === 'channel'
      ? 'select id, name, customer_id as "customerId" from channel where deleted_at is null and user_id is null'
      : 'select id, name, customer_id as "customerId" from rota where deleted_at is null',
  )
  return new Map(rows.map((row) => [row.id, row]))
}
