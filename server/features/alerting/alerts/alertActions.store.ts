import { type SqlBool, sql } from 'kysely'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import type { AlertId, CustomerId, DeviceId, UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { alertsIn } from './alertRows.store.ts'

export interface KnownAlert {
  readonly id: AlertId
  readonly deviceId: DeviceId
  readonly customerId: CustomerId
  readonly statusId: number
  readonly conditionText: string
  readonly ownerId: UserId | null
  readonly note: string
}

const knownIn = (transaction: Tx, scope: Scope) =>
  alertsIn(transaction, scope).select([
    'alert.id',
    'alert.device_id as deviceId',
    'alert.customer_id as customerId',
    'alert.status_id as statusId',
    'alert.condition_text as conditionText',
    'alert.owner_id as ownerId',
    'alert.acknowledge_note as note',
  ])

export const readKnown = (transaction: Tx, scope: Scope, ids: readonly AlertId[]): Promise<readonly KnownAlert[]> =>
  knownIn(transaction, scope)
    .where(sql<SqlBool>`alert.id = any(${[...ids]}::bigint[])`)
    .execute()

/** Locks an alert, so that nobody closes it meanwhile. */
export const lockAlert = (transaction: Tx, scope: Scope, id: AlertId): Promise<KnownAlert | undefined> =>
  knownIn(transaction, scope).where('alert.id', '=', id).modifyEnd(sql`for no key update of alert`).executeTakeFirst()

/** Tells whether a user may own alerts of the customer, and is known within the scope. */
export async function canOwn(transaction: Tx, scope: Scope, userId: UserId, customerId: CustomerId): Promise<boolean> {
  const user = await transaction
    .selectFrom('app_user')
    .select('customer_id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined) return false
  return user.customer_id === customerId || (user.customer_id === null && scope.kind === 'everything')
}

export async function writeAcknowledged(
  transaction: Tx,
  { id, deviceId }: KnownAlert,
  { userId, username }: { readonly userId: UserId; readonly username: string },
  { ownerId, note }: { readonly ownerId: UserId; readonly note: string },
): Promise<void> {
  await transaction
    .updateTable('alert')
    .set({ acknowledged_at: sql<Date>`now()`, acknowledged_by: userId, owner_id: ownerId, acknowledge_note: note })
    .where('device_id', '=', deviceId)
    .where('id', '=', id)
    .where('status_id', '=', ALERT_STATUS.opened)
    .execute()
  const event = { device_id: deviceId, alert_id: id, kind: 'acknowledged', at: sql<Date>`now()`, text: note }
  await transaction
    .insertInto('alert_event')
    .values({ ...event, user_id: userId, username })
    .execute()
}
