import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setOnCallSchedule } from '#contract/http/alerting/onCall.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isWithin } from '#server/http/call/scopeSql.ts'
import { readSchedules, type ScheduleRow } from '#server/notifications/onCallRows.ts'
import { personName } from '#server/people/personName.ts'

/** Reads the on-call schedules of the scope, with overrides from now on. */
export const readOwnSchedules = async (db: Db | Tx, scope: Scope, now: Date): Promise<ScheduleRow[]> =>
  (await readSchedules(statementsOf(db), now)).filter(({ customerId }) => isWithin(scope, customerId))

export type WrittenSchedule = Omit<ReadBodyOf<typeof setOnCallSchedule>, 'id' | 'customerId'>

export interface NamedPerson {
  readonly id: UserId
  readonly name: string
  readonly customerId: CustomerId | null
}

/** Reads the names of these people, without those who were deleted. */
export async function readPeople(db: Db | Tx, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, NamedPerson>> {
  const { rows } = await statementsOf(db).query<NamedPerson>(
    `select id, ${personName('u')} as name, customer_id as "customerId"
     from app_user u where id = any($1::int[]) and deleted_at is null`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export async function addSchedule(
  transaction: Tx,
  { name, timeZone, firstDay, handOver, everyDays, members }: WrittenSchedule,
  customerId: CustomerId | null,
  by: UserId,
): Promise<number> {
  const inserted = await statementsOf(transaction).query<{ id: number }>(
    `insert into rota (name, time_zone, first_day, hand_over, every_days, members, customer_id, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [name, timeZone, firstDay, handOver, everyDays, JSON.stringify(members), customerId, by],
  )
  return onlyRow(inserted).id
}

export async function changeSchedule(
  transaction: Tx,
  id: number,
  { name, timeZone, firstDay, handOver, everyDays, members }: WrittenSchedule,
): Promise<void> {
  await statementsOf(transaction).query(
    'update rota set name = $2, time_zone = $3, first_day = $4, hand_over = $5, every_days = $6, members = $7 where id = $1',
    [id, name, timeZone, firstDay, handOver, everyDays, JSON.stringify(members)],
  )
}

export async function removeSchedule(transaction: Tx, id: number): Promise<void> {
  await statementsOf(transaction).query('update rota set deleted_at = now() where id = $1', [id])
}

export interface NewOverride {
  readonly userId: UserId
  readonly from: Date
  readonly to: Date
}

export async function addOverride(transaction: Tx, rotaId: number, { userId, from, to }: NewOverride): Promise<number> {
  const inserted = await statementsOf(transaction).query<{ id: number }>(
    'insert into rota_override (rota_id, user_id, from_at, to_at) values ($1, $2, $3, $4) returning id',
    [rotaId, userId, from, to],
  )
  return onlyRow(inserted).id
}

export async function removeOverride(transaction: Tx, rotaId: number, id: number): Promise<boolean> {
  const { rows } = await statementsOf(transaction).query(
    'delete from rota_override where rota_id = $1 and id = $2 returning id',
    [rotaId, id],
  )
  return rows.length > 0
}

export async function readCustomerNames(db: Db | Tx): Promise<ReadonlyMap<number, string>> {
  const { rows } = await statementsOf(db).query<{ id: number; name: string }>('select id, name from customer')
  return new Map(rows.map(({ id, name }) => [id, name]))
}
