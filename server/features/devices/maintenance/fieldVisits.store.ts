import { type SqlBool, sql } from 'kysely'
import type { Visit, VisitRecord } from '#contract/http/devices/visits.ts'
import type { CustomerId, DeviceGuid, DeviceId, IncidentId, UserId } from '#domain/ids.ts'
import { FUNCTIONS_OF } from '#domain/permissions/permissions.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { deviceThen, isOfScope, shownAs, shownId } from '#server/http/call/history.store.ts'

type Shown = Omit<Visit, 'startDt' | 'endDt'> & { readonly startAt: Date; readonly endAt: Date }

/** A visit is `done` when it was written down, else `planned` until somebody cancels it. */
const STATE = sql<Visit['state']>`case when v.entry_id is not null then 'done'
  when v.cancelled_at is not null then 'cancelled' else 'planned' end`

export interface VisitFilter {
  readonly deviceId?: DeviceId | undefined
  readonly technicianId?: UserId | undefined
}

/** Lists a device's visits, the newest first; without a device the planned ones, the next first. */
export async function findVisits(db: Db, { deviceId, technicianId }: VisitFilter, scope: Scope): Promise<Visit[]> {
  const ofDevice = deviceId !== undefined && sql<SqlBool>`v.device_id = ${deviceId}`
  const planned = sql<SqlBool>`v.entry_id is null and v.cancelled_at is null`
  const mine = technicianId === undefined ? sql`true` : sql`v.technician_id = ${technicianId}`
  const { rows } = await sql<Shown>`
    ${visitsOf(scope)} and ${mine} and ${ofDevice || planned}
    order by ${ofDevice ? sql`v.start_at desc, v.id desc` : sql`v.start_at, v.id`} limit 500`.execute(db)
  return rows.map(onWire)
}

export async function findVisit(db: Db | Tx, id: number, scope: Scope): Promise<Visit | undefined> {
  const { rows } = await sql<Shown>`${visitsOf(scope)} and v.id = ${id}`.execute(db)
  return rows.map(onWire)[0]
}

const visitsOf = (scope: Scope) => sql`
  select v.id, v.device_id as "deviceId", device.guid as "deviceGuid", v.incident_id as "incidentId",
    ${sql.raw(deviceThen('name', 'v', 'created_at'))} as "deviceName",
    ${sql.raw(deviceThen('address', 'v', 'created_at'))} as address,
    ${shownId<UserId>(scope, 'technician')} as "technicianId",
    ${shownAs(scope, 'technician', sql`technician.username`)} as "technicianName",
    v.start_at as "startAt", v.end_at as "endAt", v.bring, ${STATE} as state, v.entry_id as "entryId",
    (select count(*)::int from visit_photo p where p.device_id = v.device_id and p.visit_id = v.id) as photos
  from field_visit v join device on device.id = v.device_id and device.deleted_at is null
  left join app_user technician on technician.id = v.technician_id
  where ${isOfScope(scope, 'v.customer_id')}`

const onWire = ({ startAt, endAt, ...visit }: Shown): Visit => ({
  ...visit,
  startDt: startAt.toISOString(),
  endDt: endAt.toISOString(),
})

export async function findWritten(
  db: Db,
  { deviceId, id }: Visit,
): Promise<Pick<VisitRecord, 'checklist' | 'parts' | 'photoKeys'>> {
  const { rows } = await sql<Pick<VisitRecord, 'checklist' | 'parts'>>`
    select checklist, parts from field_visit where device_id = ${deviceId} and id = ${id}`.execute(db)
  const photos = await db
    .selectFrom('visit_photo')
    .select(['photo_key as key', 'taken_at as takenAt'])
    .where('device_id', '=', deviceId)
    .where('visit_id', '=', id)
    .orderBy('taken_at')
    .orderBy('photo_key')
    .execute()
  const photoKeys = photos.map(({ key, takenAt }) => ({ key, takenDt: takenAt.toISOString() }))
  return { checklist: [], parts: [], ...rows[0], photoKeys }
}

/** SQL: the role of the user `u` lets them manage devices. */
const MAY_VISIT = sql<SqlBool>`exists (select from app_role r join app_role_function f on f.role_id = r.id
  where r.id = u.role_id and r.deleted_at is null and f.function_id = any(${[...FUNCTIONS_OF.deviceManager]}::int[]))`

/** Finds whoever may make visits and see a device of this customer. */
export async function findTechnician(transaction: Tx, id: UserId, customerId: CustomerId, scope: Scope) {
  const { rows } = await sql<{ username: string }>`
    select u.username from app_user u
    where u.id = ${id} and u.deleted_at is null and not u.is_disabled and ${MAY_VISIT}
      and (u.customer_id is null or u.customer_id = ${customerId})
      and ${isOfScope(scope, 'u.customer_id')}`.execute(transaction)
  return rows[0]
}

export interface VisitPlan {
  readonly deviceId: DeviceId
  readonly incidentId: IncidentId | null
  readonly technicianId: UserId
  readonly startAt: Date
  readonly endAt: Date
  readonly bring: string
}

export async function hasIncident(transaction: Tx, incidentId: IncidentId, deviceId: DeviceId): Promise<boolean> {
  const { rows } = await sql`select from incident_part
    where incident_id = ${incidentId} and device_id = ${deviceId} limit 1`.execute(transaction)
  return rows.length > 0
}

const planned = (plan: VisitPlan) => ({
  incident_id: plan.incidentId,
  technician_id: plan.technicianId,
  start_at: plan.startAt,
  end_at: plan.endAt,
  bring: plan.bring,
})

export async function addVisit(
  transaction: Tx,
  plan: VisitPlan,
  { customerId, by }: { readonly customerId: CustomerId; readonly by: UserId },
): Promise<number> {
  const { id } = await transaction
    .insertInto('field_visit')
    .values({ device_id: plan.deviceId, customer_id: customerId, ...planned(plan), created_by: by })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function changeVisit(transaction: Tx, id: number, plan: VisitPlan): Promise<void> {
  await visitRow(transaction, plan.deviceId, id).set(planned(plan)).execute()
}

const visitRow = (transaction: Tx, deviceId: DeviceId, id: number) =>
  transaction.updateTable('field_visit').where('device_id', '=', deviceId).where('id', '=', id)

/** @returns false when it was written down or cancelled meanwhile */
export async function cancelPlanned(transaction: Tx, deviceId: DeviceId, id: number): Promise<boolean> {
  const { numUpdatedRows } = await visitRow(transaction, deviceId, id)
    .set({ cancelled_at: sql<Date>`now()` })
    .where('entry_id', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Finds what the same request has written before. */
export const findRecorded = (transaction: Tx, deviceId: DeviceId, key: string, by: UserId) =>
  transaction
    .selectFrom('field_visit')
    .select(['id as visitId', 'entry_id as entryId'])
    .where('device_id', '=', deviceId)
    .where('recorded_by', '=', by)
    .where('record_key', '=', key)
    .executeTakeFirst()

export interface WrittenVisit {
  readonly entryId: number
  readonly startAt: Date
  readonly endAt: Date
  readonly checklist: VisitRecord['checklist']
  readonly parts: VisitRecord['parts']
  readonly key: string | null
  readonly by: UserId
}

const written = ({ entryId, startAt, endAt, checklist, parts, key, by }: WrittenVisit) => ({
  ...{ entry_id: entryId, start_at: startAt, end_at: endAt, record_key: key, recorded_by: by },
  checklist: JSON.stringify(checklist),
  parts: JSON.stringify(parts),
  cancelled_at: null,
})

export async function addWritten(
  transaction: Tx,
  { deviceId, customerId }: { readonly deviceId: DeviceId; readonly customerId: CustomerId },
  visit: WrittenVisit,
): Promise<number> {
  const { id } = await transaction
    .insertInto('field_visit')
    .values({
      device_id: deviceId,
      customer_id: customerId,
      technician_id: visit.by,
      created_by: visit.by,
      ...written(visit),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes down a planned visit; whoever was there is its technician. */
export async function writeDown(transaction: Tx, deviceId: DeviceId, id: number, visit: WrittenVisit) {
  await visitRow(transaction, deviceId, id)
    .set({ technician_id: visit.by, ...written(visit) })
    .execute()
}

/** Locks a visit that the user has written down. */
export const lockOwnVisit = (transaction: Tx, id: number, by: UserId, scope: Scope) =>
  transaction
    .selectFrom('field_visit as v')
    .innerJoin('device', 'device.id', 'v.device_id')
    .select(['v.device_id as deviceId', 'v.customer_id as customerId', 'device.name', 'device.guid'])
    .where('v.id', '=', id)
    .where('v.recorded_by', '=', by)
    .where('device.deleted_at', 'is', null)
    .where(isOfScope(scope, 'v.customer_id'))
    .modifyEnd(sql`for no key update of v`)
    .executeTakeFirst()

interface NewPhoto {
  readonly deviceId: DeviceId
  readonly visitId: number
  readonly key: string
  readonly takenAt: Date
  readonly jpeg: Buffer
}

/** @returns how many photos the visit has then */
export async function addPhoto(transaction: Tx, { deviceId, visitId, key, takenAt, jpeg }: NewPhoto): Promise<number> {
  await sql`insert into visit_photo (device_id, visit_id, photo_key, taken_at, jpeg)
    values (${deviceId}, ${visitId}, ${key}, ${takenAt}, ${jpeg}) on conflict do nothing`.execute(transaction)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from visit_photo
    where device_id = ${deviceId} and visit_id = ${visitId}`.execute(transaction)
  return rows[0]?.count ?? 0
}

export const findPhoto = (db: Db, id: number, key: string, scope: Scope) =>
  db
    .selectFrom('visit_photo as p')
    .innerJoin('field_visit as v', (join) =>
      join.onRef('v.device_id', '=', 'p.device_id').onRef('v.id', '=', 'p.visit_id'),
    )
    .innerJoin('device', 'device.id', 'v.device_id')
    .select(['p.jpeg', 'p.taken_at as takenAt'])
    .where('p.visit_id', '=', id)
    .where('p.photo_key', '=', key)
    .where('device.deleted_at', 'is', null)
    .where(isOfScope(scope, 'v.customer_id'))
    .executeTakeFirst()

/** The visit of an entry goes with it, and the photos with the visit. */
export async function deleteVisitOfEntry(transaction: Tx, deviceId: DeviceId, entryId: number): Promise<void> {
  await transaction
    .deleteFrom('field_visit')
    .where('device_id', '=', deviceId)
    .where('entry_id', '=', entryId)
    .execute()
}

export interface CalendarVisit {
  readonly id: number
  readonly guid: DeviceGuid
  readonly name: string
  readonly address: string
  readonly bring: string
  readonly startAt: Date
  readonly endAt: Date
  readonly changedAt: Date
}

/** Finds whose address this is while they may still sign in, with their visits from a month ago on. */
export async function findCalendar(db: Db, tokenHash: Buffer): Promise<readonly CalendarVisit[] | undefined> {
  const { rows: owners } = await sql<{ userId: UserId; customerId: CustomerId | null }>`
    select u.id as "userId", u.customer_id as "customerId" from calendar_address a join app_user u on u.id = a.user_id
    where a.token_hash = ${tokenHash} and u.deleted_at is null and not u.is_disabled and ${MAY_VISIT}
      and (u.customer_id is null or exists (select from customer c where c.id = u.customer_id and c.is_active))`.execute(
    db,
  )
  const owner = owners[0]
  if (owner === undefined) return undefined
  const { rows } = await sql<CalendarVisit>`
    select v.id, device.guid, device.name, device.address, v.bring, v.start_at as "startAt", v.end_at as "endAt",
      v.created_at as "changedAt"
    from field_visit v join device on device.id = v.device_id and device.deleted_at is null
      and device.customer_id = v.customer_id
    where v.technician_id = ${owner.userId} and v.cancelled_at is null and v.start_at > now() - interval '31 days'
      and (${owner.customerId}::int is null or v.customer_id = ${owner.customerId})
    order by v.start_at, v.id limit 500`.execute(db)
  return rows
}

export const findCalendarMade = (db: Db, userId: UserId) =>
  db.selectFrom('calendar_address').select('made_at as madeAt').where('user_id', '=', userId).executeTakeFirst()

export async function keepCalendarAddress(transaction: Tx, userId: UserId, tokenHash: Buffer): Promise<void> {
  await sql`insert into calendar_address (user_id, token_hash) values (${userId}, ${tokenHash})
    on conflict (user_id) do update set token_hash = excluded.token_hash, made_at = now()`.execute(transaction)
}

export async function endCalendar(transaction: Tx, userId: UserId): Promise<void> {
  await transaction.deleteFrom('calendar_address').where('user_id', '=', userId).execute()
}
