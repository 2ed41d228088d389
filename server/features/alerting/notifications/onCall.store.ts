import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setRota } from '#contract/http/alerting/onCall.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { newId, type Statements } from '#server/db/statements.ts'

export type WrittenRota = Omit<ReadBodyOf<typeof setRota>, 'id' | 'customerId'>

export interface NamedPerson {
  readonly id: UserId
  readonly name: string
  readonly customerId: CustomerId | null
}

/** Reads the names of these people, without those who were deleted. */
export async function readPeople(
  statements: Statements,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, NamedPerson>> {
  const { rows } = await statements.query<NamedPerson>(
    `select id, coalesce(nullif(trim(first_name || ' ' || last_name), ''), username) as name, customer_id as "customerId"
     from app_user where id = any($1::int[]) and deleted_at is null`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export async function addRota(
  statements: Statements,
  { name, timeZone, firstDay, handOver, everyDays, members }: WrittenRota,
  customerId: CustomerId | null,
  by: UserId,
): Promise<number> {
  const { rows } = await statements.query<{ id: number }>(
    `insert into rota (name, time_zone, first_day, hand_over, every_days, members, customer_id, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [name, timeZone, firstDay, handOver, everyDays, JSON.stringify(members), customerId, by],
  )
  return newId(rows)
}

export async function changeRota(
  statements: Statements,
  id: number,
  { name, timeZone, firstDay, handOver, everyDays, members }: WrittenRota,
): Promise<void> {
  await statements.query(
    'update rota set name = $2, time_zone = $3, first_day = $4, hand_over = $5, every_days = $6, members = $7 where id = $1',
    [id, name, timeZone, firstDay, handOver, everyDays, JSON.stringify(members)],
  )
}

export async function deleteRota(statements: Statements, id: number): Promise<void> {
  await statements.query('update rota set deleted_at = now() where id = $1', [id])
}

export interface NewOverride {
  readonly userId: UserId
  readonly from: Date
  readonly to: Date
}

export async function addOverride(
  statements: Statements,
  rotaId: number,
  { userId, from, to }: NewOverride,
): Promise<number> {
  const { rows } = await statements.query<{ id: number }>(
    'insert into rota_override (rota_id, user_id, from_at, to_at) values ($1, $2, $3, $4) returning id',
    [rotaId, userId, from, to],
  )
  return newId(rows)
}

export async function removeOverride(statements: Statements, rotaId: number, id: number): Promise<boolean> {
  const { rows } = await statements.query('delete from rota_override where rota_id = $1 and id = $2 returning id', [
    rotaId,
    id,
  ])
  return rows.length > 0
}
