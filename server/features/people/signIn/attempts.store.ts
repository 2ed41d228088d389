import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { limitKeyOf, neighbourhoodOf } from '#domain/network/ipAddress.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import {
  type Allowance,
  giveAllowanceBack,
  givingBackSql,
  secondsUntilLeft,
  takingSql,
} from '#server/http/limits/allowance.store.ts'
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

/** The place that an attempt comes from, as its limits see it. */
interface Place {
  readonly kind: (typeof KINDS)[number]
  /** IPv6 clients have a whole network to themselves. */
  readonly limitKey: string
}

export interface Attempt {
  readonly username: string
  readonly address: string
  /** The owner of the name has signed in from this browser before. */
  readonly browser?: string | undefined
}

/** Takes the count of an attempt back when it was right, in the transaction of what follows. */
export type Forgive = (transaction: Tx) => Promise<void>

// Names come from outside, in any length and number: a hash keeps the rows small.
const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('base64url')
const accountKey = ({ username }: Attempt) => digest(username.trim().toLowerCase())
const pairSubject = (attempt: Attempt, { limitKey }: Place) => `pair:${digest(accountKey(attempt), limitKey)}`
const accountSubject = (attempt: Attempt, { kind }: Place) => `account-from-${kind}:${accountKey(attempt)}`
const freshSubject = (attempt: Attempt) => `account-from-fresh:${accountKey(attempt)}`
const neighbourhoodSubject = (attempt: Attempt) =>
  `neighbourhood:${digest(accountKey(attempt), neighbourhoodOf(attempt.address))}`
const addressSubject = ({ limitKey }: Place) => `sign-in-address:${limitKey}`

/**
 * Counts the attempt as failed before it is judged, so that many at once cannot pass together.
 *
 * @throws RateLimited
 */
export async function admitAttempt(db: Db, attempt: Attempt): Promise<{ readonly forgive: Forgive }> {
  const place = await placeOf(db, attempt)
  const counted = await count(db, attempt, place)
  const pair = pairSubject(attempt, place)
  const taken = allowancesOf(attempt, place).filter(({ name }) => counted[name])
  const refusedBy = refusing(counted)
  if (refusedBy === undefined) return { forgive: (transaction) => forgive(pair, taken, transaction) }
  // What is not judged counts against nobody; the neighbourhood only tells who comes first.
  if (counted.pair) await uncount(db, pair)
  for (const { subject, allowance } of taken) await giveAllowanceBack(db, subject, allowance)
  throw new RateLimited(Math.ceil(await secondsLeft(db, attempt, place, refusedBy)))
}

/** Takes back what counts against a name, for whoever has proved by a mail that it is theirs. */
export async function forgiveAccount(transaction: Tx, attempt: Attempt): Promise<void> {
  const place = await placeOf(transaction, attempt)
  await transaction.deleteFrom('sign_in_failure').where('subject', '=', pairSubject(attempt, place)).execute()
  const subjects = [
    freshSubject(attempt),
    neighbourhoodSubject(attempt),
    ...KINDS.map((kind) => accountSubject(attempt, { ...place, kind })),
  ]
  await transaction.deleteFrom('allowance').where('subject', 'in', subjects).execute()
}

/** Which limits counted an attempt; those that do not concern it are left out. */
interface Counted {
  readonly pair: boolean
  /** Strangers behind the same address use nothing up that a known browser needs. */
  readonly address?: boolean
  readonly account: boolean
  readonly fresh?: boolean
}

const refusing = ({ pair, address, account, fresh }: Counted) =>
  !pair ? 'pair' : address === false ? 'address' : account || fresh ? undefined : 'account'

/** Lists them as they are taken and given back: in one order, so that two attempts never wait for each other. */
const allowancesOf = (attempt: Attempt, place: Place) =>
  [
    { name: 'address', subject: addressSubject(place), allowance: ADDRESS },
    { name: 'account', subject: accountSubject(attempt, place), allowance: ACCOUNT[place.kind] },
    { name: 'fresh', subject: freshSubject(attempt), allowance: FRESH },
  ] as const

/**
 * One statement, each limit only where the one before has counted: whoever is slowed down as a pair uses nothing up that
 * is others' too.
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
  return onlyRow(await sql<Counted>`with ${sql.join(limits)} select ${sql.join(names)}`.execute(db))
}

type Taken = ReturnType<typeof allowancesOf>[number]

/** Gives back in the order of `count`. */
async function forgive(pair: string, taken: readonly Taken[], transaction: Tx): Promise<void> {
  const parts = [sql`pair as (delete from sign_in_failure where subject = ${pair} returning 1)`]
  let before = 'pair'
  for (const { name, subject, allowance } of taken) {
    const isNext = sql`(select count(*) from ${sql.id(before)}) >= 0`
    parts.push(sql`${sql.id(name)} as (${givingBackSql(subject, allowance, isNext)})`)
    before = name
  }
  await sql`with ${sql.join(parts)} select from ${sql.id(before)}`.execute(transaction)
}

function secondsLeft(db: Db, attempt: Attempt, place: Place, refusedBy: 'pair' | 'address' | 'account') {
  if (refusedBy === 'pair') return secondsUntilHeard(db, pairSubject(attempt, place), PAIR)
  const found = allowancesOf(attempt, place).find(({ name }) => name === refusedBy)
  return found ? secondsUntilLeft(db, found.subject, found.allowance) : 1
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

/** Has a row when the attempt was admitted and is counted. */
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

/** Reads from where the owner of this name has signed in lately. */
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
