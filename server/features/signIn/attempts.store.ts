import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { limitKeyOf, neighbourhoodOf } from '#domain/network/ipAddress.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { type Allowance, giveAllowanceBack, takeAllowance } from '#server/http/limits/allowance.store.ts'
import { RateLimited } from '#server/http/limits/rateLimits.ts'

/** How failures of one subject slow the next attempt down: some are free, then each doubles the wait. */
interface Slowdown {
  readonly freeFailures: number
  readonly longestWaitSeconds: number
  readonly forgottenAfterSeconds: number
}

/** One person from one place: about 17 guesses an hour. */
const PAIR: Slowdown = { freeFailures: 5, longestWaitSeconds: 900, forgottenAfterSeconds: 3600 }
/** One place, whatever the names: 200 people of an office mistype twice at the same moment, and somebody every second. */
const ADDRESS: Allowance = { atOnce: 500, perHour: 3600 }
/**
 * One name, from everywhere together. Places from which its owner has signed in have an allowance of their own, so that
 * nobody locks the owner out; within any hour it is less than a hundred guesses in all.
 */
const ACCOUNT: Readonly<Record<Place['kind'], Allowance>> = {
  unknown: { atOnce: 20, perHour: 20 },
  address: { atOnce: 8, perHour: 8 },
  browser: { atOnce: 12, perHour: 12 },
}
/** When strangers have used a name up, there is a little left for whoever comes from where nobody has guessed at it. */
const FRESH: Allowance = { atOnce: 8, perHour: 8 }
const NEIGHBOURHOOD: Allowance = { atOnce: 2, perHour: 2 }
const KINDS = ['unknown', 'address', 'browser'] as const
const KNOWN_PLACE_DAYS = 30

/** From where an attempt comes, as its limits see it. */
interface Place {
  readonly kind: (typeof KINDS)[number]
  /** IPv6 clients have a whole network to themselves. */
  readonly limitKey: string
}

export interface Attempt {
  readonly username: string
  readonly address: string
  /** From which the owner of the name has signed in before. */
  readonly browser?: string | undefined
}

export interface AttemptStore {
  /**
   * Counts the attempt as failed before it is judged, so that many at once cannot pass together.
   *
   * @returns takes its count back, in the transaction of what follows when it was right
   * @throws RateLimited
   */
  readonly admit: (attempt: Attempt) => Promise<{ readonly forgive: (transaction: Tx) => Promise<void> }>
  /** Takes back what counts against a name, for whoever has proved by a mail that it is theirs. */
  readonly forgiveAccount: (attempt: Attempt, transaction: Tx) => Promise<void>
}

// Names come from outside, in any length and number: a hash keeps the rows small.
const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('base64url')
const accountKey = ({ username }: Attempt) => digest(username.trim().toLowerCase())
const pairSubject = (attempt: Attempt, { limitKey }: Place) => `pair:${digest(accountKey(attempt), limitKey)}`
const accountSubject = (attempt: Attempt, { kind }: Place) => `account-from-${kind}:${accountKey(attempt)}`
const freshSubject = (attempt: Attempt) => `account-from-fresh:${accountKey(attempt)}`
const neighbourhoodSubject = (attempt: Attempt) =>
  `neighbourhood:${digest(accountKey(attempt), neighbourhoodOf(attempt.address))}`
const addressSubject = ({ limitKey }: Place) => `sign-in-address:${limitKey}`

export function createAttemptStore(db: Db): AttemptStore {
  return {
    admit: async (attempt) => {
      const place = await placeOf(db, attempt)
      const limits = limitsOf(attempt, place)
      for (const [index, { take }] of limits.entries()) {
        const seconds = await take(db)
        if (seconds === 0) continue
        // What is not judged counts against nobody.
        for (const { giveBack } of limits.slice(0, index)) await giveBack(db)
        throw new RateLimited(Math.ceil(seconds))
      }
      return {
        forgive: async (transaction) => {
          for (const { giveBack } of limits) await giveBack(transaction)
          await forgivePair(attempt, place, transaction)
        },
      }
    },
    forgiveAccount: async (attempt, transaction) => {
      const place = await placeOf(db, attempt)
      await forgivePair(attempt, place, transaction)
      const subjects = [
        freshSubject(attempt),
        neighbourhoodSubject(attempt),
        ...KINDS.map((kind) => accountSubject(attempt, { ...place, kind })),
      ]
      await transaction.deleteFrom('allowance').where('subject', 'in', subjects).execute()
    },
  }
}

interface Limit {
  /** @returns seconds to wait; 0 when the attempt was counted */
  readonly take: (db: Db) => Promise<number>
  readonly giveBack: (db: Db) => Promise<unknown>
}

/** The pair first: whoever is slowed down there uses nothing up that is others' too. */
function limitsOf(attempt: Attempt, place: Place): readonly Limit[] {
  const pair = pairSubject(attempt, place)
  return [
    { take: (db) => slowed(db, pair, PAIR), giveBack: (db) => uncount(db, pair) },
    // Strangers behind the same address use nothing up that a known browser needs.
    ...(place.kind === 'browser' ? [] : [allowanceLimit(addressSubject(place), ADDRESS)]),
    place.kind === 'unknown'
      ? strangerLimit(attempt, place)
      : allowanceLimit(accountSubject(attempt, place), ACCOUNT[place.kind]),
  ]
}

function strangerLimit(attempt: Attempt, place: Place): Limit {
  const neighbourhood = allowanceLimit(neighbourhoodSubject(attempt), NEIGHBOURHOOD)
  const strangers = allowanceLimit(accountSubject(attempt, place), ACCOUNT.unknown)
  const fresh = allowanceLimit(freshSubject(attempt), FRESH)
  let counted = strangers
  return {
    take: async (db) => {
      const isNew = (await neighbourhood.take(db)) === 0
      const seconds = await strangers.take(db)
      if (seconds === 0) return 0
      if (!isNew || (await fresh.take(db)) > 0) return seconds
      counted = fresh
      return 0
    },
    // The neighbourhood stays counted: it only tells who comes first.
    giveBack: (db) => counted.giveBack(db),
  }
}

const allowanceLimit = (subject: string, allowance: Allowance): Limit => ({
  take: (db) => takeAllowance(db, subject, allowance),
  giveBack: (db) => giveAllowanceBack(db, subject, allowance),
})

async function forgivePair(attempt: Attempt, place: Place, transaction: Tx): Promise<void> {
  await transaction.deleteFrom('sign_in_failure').where('subject', '=', pairSubject(attempt, place)).execute()
}

async function uncount(db: Db, subject: string): Promise<void> {
  await db
    .updateTable('sign_in_failure')
    .set(({ eb }) => ({ failures: eb('failures', '-', 1) }))
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .execute()
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

async function placeOf(db: Db, attempt: Attempt): Promise<Place> {
  if (attempt.browser !== undefined) return { kind: 'browser', limitKey: `browser:${attempt.browser}` }
  const limitKey = limitKeyOf(attempt.address)
  const known = await addressesOf(db, attempt)
  return { kind: known.some((address) => limitKeyOf(address) === limitKey) ? 'address' : 'unknown', limitKey }
}

/** From where the owner of this name has signed in lately. */
async function addressesOf(db: Db, { username }: Attempt): Promise<readonly string[]> {
  const found = await db
    .selectFrom('app_session')
    .innerJoin('app_user', 'app_user.id', 'app_session.user_id')
    .select('app_session.address')
    .distinct()
    .where(sql`lower(app_user.username)`, '=', username.trim().toLowerCase())
    .where('app_session.created_at', '>', sql<Date>`now() - make_interval(days => ${KNOWN_PLACE_DAYS})`)
    .execute()
  return found.map(({ address }) => address)
}
