import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** `atOnce` of a subject at the same moment, from then on as many as come back: never more than both within an hour. */
export interface Allowance {
  readonly atOnce: number
  readonly perHour: number
}

const SECONDS_PER_HOUR = 3600

const costSql = ({ perHour }: Allowance) => sql`make_interval(secs => ${SECONDS_PER_HOUR / perHour})`

/**
 * The statement of `takeAllowance`, whose row says that it was there and is taken; it may be one of several.
 *
 * @param only as `from other where …`: it is not taken unless that has its one row
 */
export const takingSql = (subject: string, allowance: Allowance, only = sql``) => sql`
  insert into allowance as a (subject, whole_at) select ${subject}::text, now() + ${costSql(allowance)} ${only}
  on conflict (subject) do update set whole_at = greatest(a.whole_at, now()) + ${costSql(allowance)}
  where a.whole_at <= now() + ${allowance.atOnce - 1}::int * ${costSql(allowance)}
  returning 1`

/**
 * Takes one of what a subject may do, in the database: for all servers together, and so that many at once do not pass
 * together. To be asked outside of the transaction that it guards, which may be taken back.
 *
 * @param subject what is counted and for whom, as `reset-mail:192.0.2.1`
 * @returns seconds to wait; 0 when it was there and is taken
 */
export async function takeAllowance(db: Db, subject: string, allowance: Allowance): Promise<number> {
  const taken = await takingSql(subject, allowance).execute(db)
  return taken.rows.length > 0 ? 0 : secondsUntilLeft(db, subject, allowance)
}

/** @returns at least 1, also where it has come back meanwhile */
export async function secondsUntilLeft(db: Db, subject: string, allowance: Allowance): Promise<number> {
  const left = await sql<{ seconds: number }>`
    select extract(epoch from whole_at - now() - ${allowance.atOnce - 1}::int * ${costSql(allowance)})::float8 as seconds
    from allowance where subject = ${subject}`.execute(db)
  return Math.max(1, Math.ceil(left.rows[0]?.seconds ?? 1))
}

/** Puts back what was taken for something that deserved no limit. */
export async function giveAllowanceBack(db: Db, subject: string, allowance: Allowance): Promise<void> {
  await givingBackSql(subject, allowance).execute(db)
}

/** @param only as for `takingSql` */
export const givingBackSql = (subject: string, allowance: Allowance, only = sql`true`) => sql`
  update allowance set whole_at = whole_at - ${costSql(allowance)} where subject = ${subject} and ${only} returning 1`
