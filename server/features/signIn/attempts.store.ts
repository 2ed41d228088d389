import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/audit.store.ts'

/** How failures of one subject slow the next attempt down: some are free, then each doubles the wait. */
interface Slowdown {
  readonly freeFailures: number
  readonly longestWaitSeconds: number
  readonly forgottenAfterSeconds: number
}

/** One person from one place: about 17 guesses an hour. */
const PAIR: Slowdown = { freeFailures: 5, longestWaitSeconds: 900, forgottenAfterSeconds: 3600 }
/** One place, whatever the names: an office behind one address may mistype for a while. */
const ADDRESS: Slowdown = { freeFailures: 40, longestWaitSeconds: 120, forgottenAfterSeconds: 900 }
/**
 * One name from anywhere, counted by the hour of the clock; known places of its owner stay open, so this locks nobody
 * out. Sixty minutes touch two such hours, and a known place adds its 17: not more than a hundred together.
 */
const MOST_FAILURES_OF_ACCOUNT_PER_HOUR = 40
const KNOWN_PLACE_DAYS = 30

export interface Attempt {
  readonly username: string
  readonly address: string
}

export interface AttemptStore {
  /** Counts the attempt as failed before it is judged, so that many at once cannot pass together. */
  readonly admit: (attempt: Attempt) => Promise<{ readonly admitted: true } | { readonly retryAfterSeconds: number }>
  /** Takes the count of an attempt back that succeeded. */
  readonly forgive: (attempt: Attempt, transaction: Tx) => Promise<void>
  /** Takes back what counts against a name, for whoever has proved by a mail that it is theirs. */
  readonly forgiveAccount: (attempt: Attempt, transaction: Tx) => Promise<void>
}

// Names come from outside, in any length and number: a hash keeps the rows small.
const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('base64url')
const accountKey = ({ username }: Attempt) => digest(username.trim().toLowerCase())
const pairSubject = (attempt: Attempt) => `pair:${digest(accountKey(attempt), attempt.address)}`
const addressSubject = ({ address }: Attempt) => `address:${address}`
const accountSubject = (attempt: Attempt) => `account:${accountKey(attempt)}`

export function createAttemptStore(db: Db): AttemptStore {
  const waits: readonly ((attempt: Attempt) => Promise<number>)[] = [
    (attempt) => slowed(db, pairSubject(attempt), PAIR),
    (attempt) => slowed(db, addressSubject(attempt), ADDRESS),
    (attempt) => counted(db, attempt),
  ]
  return {
    admit: async (attempt) => {
      for (const wait of waits) {
        const seconds = await wait(attempt)
        if (seconds > 0) return { retryAfterSeconds: Math.ceil(seconds) }
      }
      return { admitted: true }
    },
    forgive: async (attempt, transaction) => {
      await transaction.deleteFrom('sign_in_failure').where('subject', '=', pairSubject(attempt)).execute()
      await transaction
        .updateTable('sign_in_failure')
        .set(({ eb }) => ({ failures: eb('failures', '-', 1) }))
        .where('subject', 'in', [addressSubject(attempt), accountSubject(attempt)])
        .where('failures', '>', 0)
        .execute()
    },
    forgiveAccount: async (attempt, transaction) => {
      await transaction
        .deleteFrom('sign_in_failure')
        .where('subject', 'in', [accountSubject(attempt), pairSubject(attempt)])
        .execute()
    },
  }
}

const waitSql = ({ freeFailures, longestWaitSeconds }: Slowdown) => sql`make_interval(secs => case
  when f.failures < ${freeFailures}::int then 0
  else least(${longestWaitSeconds}::int, power(2, least(f.failures - ${freeFailures}::int + 1, 20))) end)`

/** @returns seconds to wait; 0 when the attempt was admitted and counted */
async function slowed(db: Db, subject: string, slowdown: Slowdown): Promise<number> {
  const wait = waitSql(slowdown)
  const counted = await sql`
    insert into sign_in_failure as f (subject, failures, last_failed_at) values (${subject}, 1, now())
    on conflict (subject) do update set
      failures = case when f.last_failed_at < now() - make_interval(secs => ${slowdown.forgottenAfterSeconds})
                 then 1 else f.failures + 1 end,
      last_failed_at = now()
    where f.last_failed_at + ${wait} <= now()
    returning 1`.execute(db)
  if (counted.rows.length > 0) return 0
  const left = await sql<{ seconds: number }>`
    select extract(epoch from f.last_failed_at + ${wait} - now())::float8 as seconds
    from sign_in_failure f where f.subject = ${subject}`.execute(db)
  return Math.max(1, left.rows[0]?.seconds ?? 1)
}

async function counted(db: Db, attempt: Attempt): Promise<number> {
  const subject = accountSubject(attempt)
  const counted = await sql`
    insert into sign_in_failure as f (subject, failures, last_failed_at) values (${subject}, 1, now())
    on conflict (subject) do update set
      failures = case when date_trunc('hour', f.last_failed_at) < date_trunc('hour', now()) then 1 else f.failures + 1 end,
      last_failed_at = now()
    where f.failures < ${MOST_FAILURES_OF_ACCOUNT_PER_HOUR}::int
       or date_trunc('hour', f.last_failed_at) < date_trunc('hour', now())
    returning 1`.execute(db)
  if (counted.rows.length > 0 || (await isKnownPlace(db, attempt))) return 0
  const left = await sql<{ seconds: number }>`
    select extract(epoch from date_trunc('hour', now()) + interval '1 hour' - now())::float8 as seconds`.execute(db)
  return Math.max(1, left.rows[0]?.seconds ?? 1)
}

async function isKnownPlace(db: Db, { username, address }: Attempt): Promise<boolean> {
  const found = await db
    .selectFrom('app_session')
    .innerJoin('app_user', 'app_user.id', 'app_session.user_id')
    .select('app_user.id')
    .where(sql`lower(app_user.username)`, '=', username.trim().toLowerCase())
    .where('app_session.address', '=', address)
    .where('app_session.created_at', '>', sql<Date>`now() - make_interval(days => ${KNOWN_PLACE_DAYS})`)
    .limit(1)
    .execute()
  return found.length > 0
}
