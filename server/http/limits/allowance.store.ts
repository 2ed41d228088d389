import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/**
 * A subject may use `atOnce` at the same moment, and then as many as come back; within an hour never more than both.
 */
export interface Allowance {
  readonly atOnce: number
  readonly perHour: number
}

const SECONDS_PER_HOUR = 3600

const costSql = ({ perHour }: Allowance) => sql`make_interval(secs => ${SECONDS_PER_HOUR / perHour})`

/**
 * Makes the statement of `takeAllowance`, which returns a row when one was left and is now taken. It may be one of
 * several.
 * @param only reads `from other where …`; nothing is taken unless that yields its one row
 */
export const takingSql = (subject: string, allowance: Allowance, only = sql``) => sql`
  insert into allowance as a (subject, whole_at) select ${subject}::text, now() + ${costSql(allowance)} ${only}
  on conflict (subject) do update set whole_at = greatest(a.whole_at, now()) + ${costSql(allowance)}
  where a.whole_at <= now() + ${allowance.atOnce - 1}::int * ${costSql(allowance)}
  returning 1`

/**
 * Takes one use of a subject in the database, so that the limit counts for all servers together and many at once cannot
 * pass. Take it outside the guarded transaction, whose rollback would give it back.
 * @param subject names what is counted and for whom, such as `reset-mail:192.0.2.1`
 * @returns seconds to wait; 0 when one was left and is taken
 */
export async function takeAllowance(db: Db, subject: string, allowance: Allowance): Promise<number> {
  const taken = await takingSql(subject, allowance).execute(db)
  return taken.rows.length > 0 ? 0 : secondsUntilLeft(db, subject, allowance)
}

/** @returns at least 1, even when one has come back meanwhile */
export async function secondsUntilLeft(db: Db, subject: string, allowance: Allowance): Promise<number> {
  const left = await sql<{ seconds: number }>`
    select extract(epoch from whole_at - now() - ${allowance.atOnce - 1}::int * ${costSql(allowance)})::float8 as seconds
    from allowance where subject = ${subject}`.execute(db)
  return Math.max(1, Math.ceil(left.rows[0]?.seconds ?? 1))
}

export async function giveAllowanceBack(db: Db, subject: string, allowance: Allowance): Promise<void> {
  await givingBackSql(subject, allowance).execute(db)
}

/** @param only limits it as in `takingSql` */
export const givingBackSql = (subject: string, allowance: Allowance, only = sql`true`) => sql`
  update allowance set whole_at = whole_at - ${costSql(allowance)} where subject = ${subject} and ${only} returning 1`
