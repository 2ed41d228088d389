import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { limitKeyOf, neighbourhoodOf } from '#domain/network/ipAddress.ts'
import type { Db } from '#server/db/database.ts'
import type { Statement, Tx } from '#server/http/call/audit.store.ts'
import {
  type Allowance,
  giveAllowanceBack,
  givingBackSql,
  secondsUntilLeft,
  takingSql,
} from '#server/http/limits/allowance.store.ts'
import { RateLimited } from '#server/http/limits/rateLimits.ts'

/** Some failures of a subject are free; each further one doubles the wait before its next attempt. */
interface Slowdown {
  readonly freeFailures: number
  readonly longestWaitSeconds: number
  readonly forgottenAfterSeconds: number
}

/** This slows one person at one place to about 17 guesses an hour. */
const PAIR: Slowdown = { freeFailures: 5, longestWaitSeconds: 900, forgottenAfterSeconds: 3600 }
/** This limits one place, whatever the names: 200 people of an office may mistype twice at the same moment. */
const ADDRESS: Allowance = { atOnce: 500, perHour: 3600 }
/**
 * These limit one name from everywhere together. Places from which its owner has signed in have an allowance of their
 * own, so that nobody locks the owner out; all together allow fewer than a hundred guesses within any hour.
 */
const ACCOUNT: Readonly<Record<Place['kind'], Allowance>> = {
  unknown: { atOnce: 20, perHour: 20 },
  address: { atOnce: 8, perHour: 8 },
  browser: { atOnce: 12, perHour: 12 },
}
/**
 * When strangers have used a name up, a little is left for whoever comes from a network where nobody has guessed at it.
 */
const FRESH: Allowance = { atOnce: 8, perHour: 8 }
const NEIGHBOURHOOD: Allowance = { atOnce: 2, perHour: 2 }
const KINDS = ['unknown', 'address', 'browser'] as const
const KNOWN_PLACE_DAYS = 30

/** The origin of an attempt, as its limits see it. */
interface Place {
  readonly kind: (typeof KINDS)[number]
  /** An IPv6 client has a whole network, so the network counts instead of its addresses. */
  readonly limitKey: string
}

export interface Attempt {
  readonly username: string
  readonly address: string
  /** The browser from which the owner of the name has signed in before. */
  readonly browser?: string | undefined
}

export interface AttemptStore {
  /**
   * Counts the attempt as failed before it is judged, so that many at once cannot pass together.
   * @returns a statement that takes the count back, for the transaction that follows a right password
   * @throws RateLimited
   */
  readonly admit: (attempt: Attempt) => Promise<{ readonly forgiving: Statement }>
  /** Takes back what was counted against a name, for somebody who has proved by a mail that it is theirs. */
  readonly forgiveAccount: (attempt: Attempt, transaction: Tx) => Promise<void>
}

// Names come from outside, in any length and number, so their hashes keep the rows small.
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
      const counted = await count(db, attempt, place)
      const pair = pairSubject(attempt, place)
      const taken = allowancesOf(attempt, place).filter(({ name }) => counted[name])
      const refusedBy = refusing(counted)
      if (refusedBy === undefined) return { forgiving: forgiving(pair, taken).compile(db) }
      // An attempt that is not judged must not count against anybody. The neighbourhood's count stays, because it only
      // tells who comes first.
      if (counted.pair) await uncount(db, pair)
      for (const { subject, allowance } of taken) await giveAllowanceBack(db, subject, allowance)
      throw new RateLimited(Math.ceil(await secondsLeft(db, attempt, place, refusedBy)))
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

/** The limits that counted an attempt; those that do not concern it are left out. */
interface Counted {
  readonly pair: boolean
  /** A known browser is not counted here, so that strangers behind the same address cannot use up what it needs. */
  readonly address?: boolean
  readonly account: boolean
  readonly fresh?: boolean
}

const refusing = ({ pair, address, account, fresh }: Counted) =>
  !pair ? 'pair' : address === false ? 'address' : account || fresh ? undefined : 'account'

/** The allowances are taken and given back in this order, so that two attempts cannot deadlock. */
const allowancesOf = (attempt: Attempt, place: Place) =>
  [
    { name: 'address', subject: addressSubject(place), allowance: ADDRESS },
    { name: 'account', subject: accountSubject(attempt, place), allowance: ACCOUNT[place.kind] },
    { name: 'fresh', subject: freshSubject(attempt), allowance: FRESH },
  ] as const

/**
 * Counts all limits in one statement, each only when the one before has counted: whoever is slowed down as a pair uses
 * up nothing that others share.
 */
async function count(db: Db, attempt: Attempt, place: Place): Promise<Counted> {
  const [address, account, fresh] = allowancesOf(attempt, place)
  const hasAddress = place.kind !== 'browser'
  const admitted = hasAddress ? sql`address` : sql`pair`
  const limits = [sql`pair as (${slowed(pairSubject(attempt, place), PAIR)})`]
  const names = [sql`exists (select from pair) as pair`, sql`exists (select from account) as account`]
  if (hasAddress) {
    limits.push(sql`address as (${takingSql(address.subject, ADDRESS, sql`from pair`)})`)
    names.push(sql`exists (select from address) as address`)
  }
  limits.push(sql`account as (${takingSql(account.subject, account.allowance, sql`from ${admitted}`)})`)
  if (place.kind === 'unknown') {
    const neighbourhood = takingSql(neighbourhoodSubject(attempt), NEIGHBOURHOOD, sql`from ${admitted}`)
    const isLeft = sql`from neighbourhood where not exists (select from account)`
    limits.push(sql`neighbourhood as (${neighbourhood})`, sql`fresh as (${takingSql(fresh.subject, FRESH, isLeft)})`)
    names.push(sql`exists (select from fresh) as fresh`)
  }
  const { rows } = await sql<Counted>`with ${sql.join(limits)} select ${sql.join(names)}`.execute(db)
  return rows[0] as Counted
}

type Taken = ReturnType<typeof allowancesOf>[number]

/** Gives the counts back in the order of `count`. */
function forgiving(pair: string, taken: readonly Taken[]) {
  const parts = [sql`pair as (delete from sign_in_failure where subject = ${pair} returning 1)`]
  let before = 'pair'
  for (const { name, subject, allowance } of taken) {
    const isNext = sql`(select count(*) from ${sql.id(before)}) >= 0`
    parts.push(sql`${sql.id(name)} as (${givingBackSql(subject, allowance, isNext)})`)
    before = name
  }
  return sql`with ${sql.join(parts)} select from ${sql.id(before)}`
}

function secondsLeft(db: Db, attempt: Attempt, place: Place, refusedBy: 'pair' | 'address' | 'account') {
  if (refusedBy === 'pair') return secondsUntilHeard(db, pairSubject(attempt, place), PAIR)
  const found = allowancesOf(attempt, place).find(({ name }) => name === refusedBy)
  return found ? secondsUntilLeft(db, found.subject, found.allowance) : 1
}

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

/** SQL that returns a row when the attempt was admitted and is counted. */
const slowed = (subject: string, slowdown: Slowdown) => sql`
  insert into sign_in_failure as f (subject, failures, last_failed_at) values (${subject}, 1, now())
  on conflict (subject) do update set
    failures = case when f.last_failed_at < now() - make_interval(secs => ${slowdown.forgottenAfterSeconds})
               then 1 else f.failures + 1 end,
    last_failed_at = now()
  where f.last_failed_at + ${waitSql(slowdown)} <= now()
  returning 1`

async function secondsUntilHeard(db: Db, subject: string, slowdown: Slowdown): Promise<number> {
  const left = await sql<{ seconds: number }>`
    select extract(epoch from f.last_failed_at + ${waitSql(slowdown)} - now())::float8 as seconds
    from sign_in_failure f where f.subject = ${subject}`.execute(db)
  return Math.max(1, left.rows[0]?.seconds ?? 1)
}

async function placeOf(db: Db, attempt: Attempt): Promise<Place> {
  if (attempt.browser !== undefined) return { kind: 'browser', limitKey: `browser:${attempt.browser}` }
  const limitKey = limitKeyOf(attempt.address)
  const known = await addressesOf(db, attempt)
  return { kind: known.some((address) => limitKeyOf(address) === limitKey) ? 'address' : 'unknown', limitKey }
}

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
