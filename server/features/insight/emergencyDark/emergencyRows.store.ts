import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { OffTimes } from '#domain/displays/offTimes.ts'
import type { CustomerId, DeviceId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { type Statements, statementsOf } from '#server/db/statements.ts'
import { noteSettings } from '#server/gateway/commands/commandRows.ts'
import { keepDesiredSettings } from '#server/gateway/commands/desiredSettings.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'
import { ringSql } from '#server/jobs/JobBells.ts'

export const EMERGENCY_JOB = 'emergency dark'

export interface EmergencyRow {
  readonly id: number
  readonly customerId: CustomerId | null
  readonly subject: string
  readonly reason: string
  readonly startedAt: Date
  readonly startedBy: string
  readonly until: Date
  readonly endedAt: Date | null
  readonly endedBy: string | null
  readonly devices: number
}

const MOST_LISTED = 50

/**
 * Reads emergencies that reach the scope, the lasting ones first. Who is of a customer sees the names of staff as Staff,
 * and counts their own devices only.
 */
export async function readEmergencies(
  db: Db | Tx,
  scope: Scope,
  { id, deviceId }: { readonly id?: number | undefined; readonly deviceId?: DeviceId | undefined },
): Promise<readonly EmergencyRow[]> {
  const shown = (user: string) => `case when $1::integer is null or ${user}.customer_id = $1 then ${user}.username
    when ${user}.id is not null then 'Staff' end`
  const { rows } = await statementsOf(db).query<EmergencyRow>(
    `select e.id, e.customer_id as "customerId", e.subject, e.reason, e.started_at as "startedAt",
       ${shown('s')} as "startedBy", e.until_at as until, e.ended_at as "endedAt", ${shown('n')} as "endedBy",
       o.devices
     from emergency_dark e join app_user s on s.id = e.started_by left join app_user n on n.id = e.ended_by
     cross join lateral (select count(*)::integer as devices from emergency_dark_device m
       join device d on d.id = m.device_id and d.deleted_at is null
       where m.emergency_id = e.id and ($1::integer is null or d.customer_id = $1)
         and ($3::integer is null or (m.device_id = $3 and m.ended_at is null))) o
     where ($2::integer is null or e.id = $2) and ($3::integer is null or e.ended_at is null)
       and (o.devices > 0 or ($3::integer is null and ($1::integer is null or e.customer_id = $1)))
     order by e.ended_at is not null, e.id desc limit ${MOST_LISTED}`,
    [customerOf(scope), id ?? null, deviceId ?? null],
  )
  return rows
}

export interface NewEmergency {
  readonly customerId: CustomerId | null
  readonly subject: string
  readonly reason: string
  readonly startedAt: Date
  readonly startedBy: UserId
  readonly until: Date
  readonly devices: readonly { readonly id: DeviceId; readonly offTimes: OffTimes }[]
}

/** Stores an emergency and wakes the job that carries it to the devices. */
export async function insertEmergency(transaction: Tx, emergency: NewEmergency): Promise<number> {
  const { customerId, subject, reason, startedAt, startedBy, until, devices } = emergency
  const statements = statementsOf(transaction)
  const { rows } = await statements.query<{ id: number }>(
    `insert into emergency_dark (customer_id, subject, reason, started_at, started_by, until_at)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [customerId, subject, reason, startedAt, startedBy, until],
  )
  const id = rows[0]?.id ?? 0
  await statements.query(
    `insert into emergency_dark_device (emergency_id, device_id, off_times)
     select $1, t.id, t.off_times from unnest($2::integer[], $3::jsonb[]) t (id, off_times)`,
    [id, devices.map((one) => one.id), devices.map(({ offTimes }) => JSON.stringify(offTimes))],
  )
  await statements.query(ringSql(EMERGENCY_JOB))
  return id
}

/** @returns whether it lasted until now */
export async function endEmergency(transaction: Tx, id: number, endedBy: UserId): Promise<boolean> {
  const { rows } = await statementsOf(transaction).query<{ id: number }>(
    'update emergency_dark set ended_at = now(), ended_by = $2 where id = $1 and ended_at is null returning id',
    [id, endedBy],
  )
  await statementsOf(transaction).query(ringSql(EMERGENCY_JOB))
  return rows.length > 0
}

/** Ends what is over, and finds the devices of which something is to be done, and when the next one is over. */
export async function readWork(db: Db, atMost: number) {
  const statements = statementsOf(db)
  await statements.query(
    'update emergency_dark set ended_at = until_at where ended_at is null and until_at <= clock_timestamp()',
  )
  const { rows } = await statements.query<{ emergencyId: number; deviceId: DeviceId }>(
    `select m.emergency_id as "emergencyId", m.device_id as "deviceId"
     from emergency_dark_device m join emergency_dark e on e.id = m.emergency_id
     where m.ended_at is null and ((m.told_at is null and e.ended_at is null) or e.ended_at is not null)
     order by m.emergency_id, m.device_id limit ${atMost}`,
  )
  const next = await statements.query<{ ms: number | null }>(
    `select (extract(epoch from min(until_at) - clock_timestamp()) * 1000)::float8 as ms
     from emergency_dark where ended_at is null`,
  )
  return { due: rows, endsInMs: next.rows[0]?.ms ?? undefined }
}

interface DeviceRow {
  readonly emergency_id: number
  readonly off_times: OffTimes
  readonly before: Record<string, unknown> | null
  readonly told_at: Date | null
  readonly is_over: boolean
  readonly until_at: Date
  readonly user_id: UserId
  readonly username: string
}

const NEVER_OFF = {
  ...{ wdTimeOffFrom: null, wdTimeOffTo: null, wkndTimeOffFrom: null, wkndTimeOffTo: null },
  ...{ holTimeOffFrom: null, holTimeOffTo: null },
}

/**
 * Brings one device to what its emergencies want of it, in one transaction, so that a killed process leaves it either
 * before or after. Of several that last, the longest decides, and all of them give back what was before the first. Off
 * times that somebody has set meanwhile stay.
 *
 * @returns whether its settings changed
 */
export function settleDevice(db: Db, deviceId: DeviceId): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const statements = statementsOf(transaction)
    const device = await statements.query('select from device where id = $1 and deleted_at is null for no key update', [
      deviceId,
    ])
    const { rows } = await statements.query<DeviceRow>(
      `select m.emergency_id, m.off_times, m.before, m.told_at, e.ended_at is not null as is_over, e.until_at,
         u.id as user_id, u.username
       from emergency_dark_device m join emergency_dark e on e.id = m.emergency_id join app_user u on u.id = e.started_by
       where m.device_id = $1 and m.ended_at is null order by e.until_at desc, e.id for update of m`,
      [deviceId],
    )
    const told = rows.filter(({ told_at }) => told_at !== null)
    const [longest] = rows.filter(({ is_over }) => !is_over)
    const isNew = rows.some(({ told_at, is_over }) => told_at === null && !is_over)
    const desired = await readDesired(transaction, deviceId)
    const isOurs = told.some((one) => isDeepStrictEqual(one.off_times, desired))
    const before = told[0] && (isOurs || !isNew) ? told[0].before : desired
    await noteTold(statements, deviceId, rows, before)
    const author = longest ?? told[0]
    const target = longest ? { ...longest.off_times } : (before ?? NEVER_OFF)
    const isWanted = device.rows.length > 0 && (isNew || isOurs) && !isDeepStrictEqual(target, desired)
    if (!isWanted || author === undefined) return false
    const by = { userId: author.user_id, username: author.username }
    await keepDesiredSettings(transaction, {
      ...{ deviceId, section: 'turnOff', number: 1, desired: target, ...by, isSent: false },
    })
    await noteSettings(transaction, deviceId)
    return true
  })
}

async function noteTold(
  statements: Statements,
  deviceId: DeviceId,
  rows: readonly DeviceRow[],
  before: Record<string, unknown> | null,
): Promise<void> {
  const idsOf = (isOver: boolean) => rows.filter(({ is_over }) => is_over === isOver).map((one) => one.emergency_id)
  await statements.query(
    `update emergency_dark_device set before = $3, told_at = coalesce(told_at, clock_timestamp())
     where device_id = $1 and emergency_id = any($2::integer[])`,
    [deviceId, idsOf(false), before === null ? null : JSON.stringify(before)],
  )
  await statements.query(
    `update emergency_dark_device set ended_at = clock_timestamp()
     where device_id = $1 and emergency_id = any($2::integer[])`,
    [deviceId, idsOf(true)],
  )
}

async function readDesired(transaction: Tx, deviceId: DeviceId): Promise<Record<string, unknown> | null> {
  const { rows } = await sql<{ desired: Record<string, unknown> | null }>`select desired from device_setting
    where device_id = ${deviceId} and section = 'turnOff' and number = 1 for update`.execute(transaction)
  return rows[0]?.desired ?? null
}
