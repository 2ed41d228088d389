import type { CustomerId, UserId } from '#domain/ids.ts'
import type { WeekHours } from '#domain/notifying/routing.ts'
import type { Statements } from '#server/db/statements.ts'
import type { Scope } from '#server/http/call/caller.ts'
import type { RouteStep } from '#server/notifying/judgedRows.ts'

/** What people set of a route. */
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
}

const customerOf = (scope: Scope) => (scope.kind === 'everything' ? null : scope.customerId)

/** Those of one customer, or all; of one number where that is given, which waits until nobody changes it. */
export async function readListedRoutes(statements: Statements, scope: Scope, id?: number): Promise<ListedRoute[]> {
  const { rows } = await statements.query<ListedRoute>(
    `select r.id, r.name, r.is_on as "isOn", r.severity_id as "severityId", r.customer_id as "customerId",
       c.name as "customerName", r.of_customer_id as "ofCustomerId", o.name as "ofCustomerName", r.tag, r.hours, r.steps
     from notify_route r left join customer c on c.id = r.customer_id left join customer o on o.id = r.of_customer_id
     where r.deleted_at is null and ($1::int is null or r.customer_id = $1) and ($2::int is null or r.id = $2)
     order by r.id`,
    [customerOf(scope), id ?? null],
  )
  return rows
}

export async function addRoute(
  statements: Statements,
  { name, isOn, severityId, ofCustomerId, tag, hours, steps }: WrittenRoute,
  { customerId, tagKey, by }: { readonly customerId: CustomerId | null; readonly tagKey: string; readonly by: UserId },
): Promise<number> {
  const { rows } = await statements.query<{ id: number }>(
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
  return rows[0]?.id ?? 0
}

export async function changeRoute(
  statements: Statements,
  id: number,
  { name, isOn, severityId, ofCustomerId, tag, hours, steps }: WrittenRoute,
  tagKey: string,
): Promise<void> {
  await statements.query(
    `update notify_route set name = $2, is_on = $3, severity_id = $4, of_customer_id = $5, tag = $6, tag_key = $7,
       hours = $8, steps = $9 where id = $1`,
    [id, name, isOn, severityId, ofCustomerId, tag, tagKey, hours && JSON.stringify(hours), JSON.stringify(steps)],
  )
}

export async function deleteRoute(statements: Statements, id: number): Promise<void> {
  await statements.query('update notify_route set deleted_at = now() where id = $1', [id])
}

/** Names of what a step may name, by number: of one customer, or of all. */
export interface Named {
  readonly id: number
  readonly name: string
  readonly customerId: CustomerId | null
}

export async function readNamed(statements: Statements, what: 'channel' | 'rota'): Promise<ReadonlyMap<number, Named>> {
  const { rows } = await statements.query<Named>(
    what === 'channel'
      ? 'select id, name, customer_id as "customerId" from channel where deleted_at is null and user_id is null'
      : 'select id, name, customer_id as "customerId" from rota where deleted_at is null',
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export async function hasCustomer(statements: Statements, id: CustomerId): Promise<boolean> {
  return (await statements.query('select from customer where id = $1', [id])).rows.length > 0
}
