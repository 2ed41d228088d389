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
 * Takes one of what a subject may do, in the database: for all servers together, and so that many at once do not pass
 * together. To be asked outside of the transaction that it guards, which may be taken back.
 *
 * @param subject what is counted and for whom, as `reset-mail:192.0.2.1`
 * @returns seconds to wait; 0 when it was there and is taken
 */
export async function takeAllowance(db: Db, subject: string, allowance: Allowance): Promise<number> {
  const cost = costSql(allowance)
  const taken = await sql`
    insert into allowance as a (subject, whole_at) values (${subject}, now() + ${cost})
    on conflict (subject) do update set whole_at = greatest(a.whole_at, now()) + ${cost}
    where a.whole_at <= now() + ${allowance.atOnce - 1}::int * ${cost}
    returning 1`.execute(db)
  if (taken.rows.length > 0) return 0
  const left = await sql<{ seconds: number }>`
    select extract(epoch from whole_at - now() - ${allowance.atOnce - 1}::int * ${cost})::float8 as seconds
    from allowance where subject = ${subject}`.execute(db)
  return Math.max(1, Math.ceil(left.rows[0]?.seconds ?? 1))
}

/** Puts back what was taken for something that deserved no limit. */
export async function giveAllowanceBack(db: Db, subject: string, allowance: Allowance): Promise<void> {
  await sql`update allowance set whole_at = whole_at - ${costSql(allowance)} where subject = ${subject}`.execute(db)
}
