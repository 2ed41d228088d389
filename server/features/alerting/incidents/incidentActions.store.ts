import { type SqlBool, sql } from 'kysely'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import type { AlertId, CustomerId, DeviceId, IncidentId, UserId } from '#domain/ids.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { NOTICES_JOB, noteToNotifySql } from '#server/incidents/dueRows.ts'
import { refold } from '#server/incidents/foldDue.ts'
import { partsIn } from '#server/incidents/partRows.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { personName } from '#server/people/personName.ts'

export interface Author {
  readonly userId: UserId | null
  readonly channelId?: number
  readonly username: string
}

export type ActionKind = 'acknowledged' | 'noted' | 'snoozed' | 'woken' | 'merged' | 'split'

/** Keeps other transactions from folding alerts or changing incidents until this one ends. */
export const lockIncidents = (transaction: Tx) =>
  sql`select ${sql.raw(lockUntilCommit('incidents'))}`.execute(transaction)

export async function noteAction(
  transaction: Tx,
  id: IncidentId,
  { userId, channelId, username }: Author,
  action: { readonly kind: ActionKind; readonly text: string },
): Promise<void> {
  await transaction
    .insertInto('incident_deed')
    .values({
      incident_id: id,
      ...action,
      at: sql<Date>`now()`,
      user_id: userId,
      channel_id: channelId ?? null,
      username,
    })
    .execute()
  // The owner and the snooze decide who else is notified, so the routes are judged again.
  const statements = statementsOf(transaction)
  await statements.query(noteToNotifySql('$1::bigint[]', 'now()'), [[id]])
  await statements.query(ringSql(NOTICES_JOB))
}

/** Finds the name of a user who may own an incident of this customer, and is known within the scope. */
export async function findOwnerName(
  transaction: Tx,
  scope: Scope,
  userId: UserId,
  customerId: CustomerId | null,
): Promise<string | undefined> {
  const user = await transaction
    .selectFrom('app_user')
    .select(['customer_id', sql.raw<string>(personName('app_user')).as('name')])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined) return undefined
  const isOfStaff = user.customer_id === null && scope.kind === 'everything'
  if (!isOfStaff && (customerId === null || user.customer_id !== customerId)) return undefined
  return user.name
}

/** Acknowledges an incident with its open alerts; the owner is null where a channel has acknowledged it. */
export async function writeOwner(
  transaction: Tx,
  id: IncidentId,
  { userId, channelId, username }: Author,
  { ownerId, note }: { readonly ownerId: UserId | null; readonly note: string },
): Promise<void> {
  await transaction
    .updateTable('incident')
    .set({ owner_id: ownerId, acknowledged_channel_id: channelId ?? null, acknowledged_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  await sql`
    with own as (
      select a.device_id, a.id from alert a
      join (select distinct device_id, alert_id from incident_part where incident_id = ${id}) p
        on a.device_id = p.device_id and a.id = p.alert_id
      where a.status_id = ${ALERT_STATUS.opened} and a.withdrawn_at is null
      order by a.device_id, a.id for no key update of a),
    taken as (
      update alert a set acknowledged_at = now(), acknowledged_by = ${userId}, owner_id = ${ownerId}, acknowledge_note = ${note}
      from own where a.device_id = own.device_id and a.id = own.id)
    insert into alert_event (device_id, alert_id, kind, at, user_id, username, text)
    select device_id, id, 'acknowledged', now(), ${userId}, ${username}, ${note} from own`.execute(transaction)
}

/** Keeps the end of the snooze when somebody ends it early: what is active is notified from then on. */
export async function writeSnooze(transaction: Tx, id: IncidentId, until: Date | null): Promise<void> {
  await sql`
    update incident set snoozed_until = coalesce(${until}::timestamptz, least(snoozed_until, now()))
    where id = ${id} and (${until}::timestamptz is not null or snoozed_until is not null)`.execute(transaction)
  await sql`update incident_turn set next_at = now() where incident_id = ${id}`.execute(transaction)
}

export async function readDeviceIds(transaction: Tx, id: IncidentId): Promise<ReadonlySet<DeviceId>> {
  const rows = await transaction
    .selectFrom('incident_part')
    .select('device_id')
    .distinct()
    .where('incident_id', '=', id)
    .execute()
  return new Set(rows.map(({ device_id }) => device_id))
}

async function newGroup(transaction: Tx): Promise<number> {
  return onlyRow(await sql<{ id: number }>`select nextval('incident_group') as id`.execute(transaction)).id
}

export async function mergeParts(transaction: Tx, ids: readonly IncidentId[]): Promise<ReadonlySet<DeviceId>> {
  const groupId = await newGroup(transaction)
  const statements = statementsOf(transaction)
  const before = await partsIn(statements, ids)
  return refold(statements, { before, parts: before.map((part) => ({ ...part, groupId })), touched: new Set(ids) })
}

/** Makes an incident of the chosen alerts; the others keep the number. */
export async function splitParts(
  transaction: Tx,
  id: IncidentId,
  chosen: ReadonlySet<AlertId>,
): Promise<ReadonlySet<DeviceId>> {
  const [ofChosen, ofRest] = [await newGroup(transaction), await newGroup(transaction)]
  const statements = statementsOf(transaction)
  const before = await partsIn(statements, [id])
  const parts = before.map((part) =>
    chosen.has(part.alertId) ? { ...part, groupId: ofChosen, incidentId: undefined } : { ...part, groupId: ofRest },
  )
  return refold(statements, { before, parts, touched: new Set([id]) })
}

export async function incidentOf(transaction: Tx, alertId: AlertId): Promise<IncidentId | undefined> {
  const found = await transaction
    .selectFrom('incident_part')
    .select('incident_id')
    .where(sql<SqlBool>`alert_id = ${alertId}`)
    .orderBy('raised_at', 'desc')
    .executeTakeFirst()
  return found?.incident_id
}

export async function readAlertIds(transaction: Tx, id: IncidentId): Promise<ReadonlySet<AlertId>> {
  const rows = await transaction
    .selectFrom('incident_part')
    .select('alert_id')
    .distinct()
    .where('incident_id', '=', id)
    .execute()
  return new Set(rows.map(({ alert_id }) => alert_id))
}
