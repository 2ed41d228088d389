import type { ClaimFacts } from '#contract/http/devices/claims.ts'
import { CODE_MS, HALF_CODE, MOST_WRONG_TRIES } from '#domain/claims/claimCode.ts'
import type { CustomerId, DeviceGuid, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'
import type { Job } from '#server/jobs/JobRunner.ts'

export interface ClaimRow {
  readonly id: number
  readonly code: string | null
  readonly secondsLeft: number
  readonly isCodeSpent: boolean
  readonly claimKeyId: number | null
  readonly isRefused: boolean
  readonly deviceId: DeviceId | null
}

const ROW = `id, code, claim_key_id as "claimKeyId", refused_at is not null as "isRefused", claimed_id as "deviceId",
  greatest(0, ceil(extract(epoch from code_until - now())))::int as "secondsLeft",
  code_until <= now() or wrong_tries >= ${MOST_WRONG_TRIES} as "isCodeSpent"`

const NEW_UNTIL = `now() + interval '${CODE_MS} milliseconds'`

/** SQL of a claim `c`: its code can still be used. */
const IS_OPEN = `c.claimed_id is null and c.refused_at is null and c.claim_key_id is null
  and c.code_until > now() and c.wrong_tries < ${MOST_WRONG_TRIES}`

export interface NewClaim {
  readonly keyHash: Buffer
  /** Undefined for a device that waits by a claim key. */
  readonly code: string | undefined
  readonly claimKeyId: number | undefined
  readonly facts: ClaimFacts
  readonly address: string
}

const hardwareOf = ({ serialNumbers, macAddresses }: ClaimFacts) => [...serialNumbers.filter(Boolean), ...macAddresses]

/** @returns undefined when a claim with this key exists */
export async function insertClaim(transaction: Tx, claim: NewClaim): Promise<ClaimRow | undefined> {
  const { keyHash, code = null, claimKeyId = null, facts, address } = claim
  const { rows } = await statementsOf(transaction).query<ClaimRow>(
    `insert into device_claim (key_hash, code, code_until, claim_key_id, facts, hardware, address)
     values ($1, $2, case when $2::text is null then null else ${NEW_UNTIL} end, $3, $4, $5, $6)
     on conflict (key_hash) do nothing returning ${ROW}`,
    [keyHash, code, claimKeyId, JSON.stringify(facts), hardwareOf(facts), address],
  )
  return rows[0]
}

/** Finds the claim of a device, and notes that the device is still there. */
export async function findClaimOfKey(db: Db | Tx, keyHash: Buffer): Promise<ClaimRow | undefined> {
  const { rows } = await statementsOf(db).query<ClaimRow>(
    `update device_claim set seen_at = now() where key_hash = $1 returning ${ROW}`,
    [keyHash],
  )
  return rows[0]
}

export async function renewCode(db: Db | Tx, id: number, code: string): Promise<ClaimRow | undefined> {
  const { rows } = await statementsOf(db).query<ClaimRow>(
    `update device_claim set code = $2, code_until = ${NEW_UNTIL}, wrong_tries = 0
     where id = $1 and claimed_id is null and refused_at is null returning ${ROW}`,
    [id, code],
  )
  return rows[0]
}

export interface ConfiguredDevice {
  readonly guid: DeviceGuid
  readonly name: string
  readonly modelId: DeviceModelId
  readonly customerName: string
}

/** What a claimed device is told of itself, as long as its key is valid. */
export async function findClaimed(db: Db, deviceId: DeviceId, keyHash: Buffer): Promise<ConfiguredDevice | undefined> {
  const { rows } = await statementsOf(db).query<ConfiguredDevice>(
    `select d.guid, d.name, d.model_id as "modelId", c.name as "customerName"
     from device d join customer c on c.id = d.customer_id
     join device_credential k on k.device_id = d.id and k.key_hash = $2
     where d.id = $1 and d.deleted_at is null`,
    [deviceId, keyHash],
  )
  return rows[0]
}

export interface SeenClaim {
  readonly id: number
  readonly keyHash: Buffer
  readonly facts: ClaimFacts
  readonly address: string
  readonly askedAt: Date
  readonly seenAt: Date
}

const SEEN = `c.id, c.key_hash as "keyHash", c.facts, c.address, c.asked_at as "askedAt", c.seen_at as "seenAt"`

/** Finds the claim whose code is shown now, and keeps it from being claimed twice. */
export async function lockOpenClaim(db: Db | Tx, code: string): Promise<SeenClaim | undefined> {
  const { rows } = await statementsOf(db).query<SeenClaim>(
    `select ${SEEN} from device_claim c where c.code = $1 and ${IS_OPEN} for update`,
    [code],
  )
  return rows[0]
}

/** Counts a wrong try against every code that begins like it. */
export async function countWrongTry(db: Db, code: string): Promise<void> {
  await statementsOf(db).query(
    `update device_claim c set wrong_tries = wrong_tries + 1 where left(c.code, ${HALF_CODE}) = left($1, ${HALF_CODE})
       and ${IS_OPEN}`,
    [code],
  )
}

export interface KnownDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly customerId: CustomerId
  readonly customerName: string
}

const KNOWN = `d.id, d.guid, d.name, d.customer_id as "customerId", k.name as "customerName"`

/** Finds the device that was made by this code. */
export async function findByUsedCode(db: Db, code: string): Promise<KnownDevice | undefined> {
  const { rows } = await statementsOf(db).query<KnownDevice>(
    `select ${KNOWN} from device_claim c join device d on d.id = c.claimed_id and d.deleted_at is null
     join customer k on k.id = d.customer_id where c.code = $1`,
    [code],
  )
  return rows[0]
}

/** A device that is the hardware of a claim, as far as the claim says so. */
export interface KnownHardware extends KnownDevice {
  readonly claimId: number
  /** Whether it was claimed itself; otherwise somebody has written the serial number, as anybody may. */
  readonly wasClaimed: boolean
}

/**
 * Finds for each claim the device that was claimed last with one of its serial numbers or network cards; else the newest
 * whose record has one of its serial numbers.
 */
export async function findSameHardware(db: Db | Tx, claimIds: readonly number[]): Promise<readonly KnownHardware[]> {
  const { rows } = await statementsOf(db).query<KnownHardware>(
    `select distinct on (f."claimId") f."claimId", f."wasClaimed", ${KNOWN} from (
       select now.id as "claimId", true as "wasClaimed", c.claimed_id as device_id, c.id as newest
       from device_claim now join device_claim c on c.hardware && now.hardware and c.id <> now.id
       where now.id = any($1::int[])
       union all
       select now.id, false, d.id, d.id
       from device_claim now cross join jsonb_array_elements_text(now.facts -> 'serialNumbers') as said(serial)
       join device d on d.attr_serial = said.serial and said.serial <> ''
       where now.id = any($1::int[])
     ) f join device d on d.id = f.device_id and d.deleted_at is null join customer k on k.id = d.customer_id
     order by f."claimId", f."wasClaimed" desc, f.newest desc`,
    [[...claimIds]],
  )
  return rows
}

/** Gives the device the key that it has made itself. */
export async function completeClaim(transaction: Tx, { id, keyHash }: SeenClaim, deviceId: DeviceId): Promise<void> {
  const statements = statementsOf(transaction)
  await statements.query('update device_claim set claimed_id = $2 where id = $1', [id, deviceId])
  await statements.query('insert into device_credential (device_id, key_hash) values ($1, $2)', [deviceId, keyHash])
}

export interface WaitingRow extends SeenClaim {
  readonly keyName: string
  readonly customerId: CustomerId | null
  readonly customerName: string
}

const WAITING = `from device_claim c join claim_key k on k.id = c.claim_key_id left join customer o on o.id = k.customer_id
  where c.claimed_id is null and c.refused_at is null and ($1::int is null or k.customer_id = $1)`
const MOST_LISTED = 1000

export async function listWaiting(db: Db, scope: Scope): Promise<readonly WaitingRow[]> {
  const { rows } = await statementsOf(db).query<WaitingRow>(
    `select ${SEEN}, k.name as "keyName", k.customer_id as "customerId", coalesce(o.name, '') as "customerName"
     ${WAITING} order by c.id limit ${MOST_LISTED}`,
    [customerOf(scope)],
  )
  return rows
}

/** Locks those of these that wait in the scope, in the order in which they came. */
export async function lockWaiting(
  transaction: Tx,
  scope: Scope,
  ids: readonly number[],
): Promise<readonly SeenClaim[]> {
  const { rows } = await statementsOf(transaction).query<SeenClaim>(
    `select ${SEEN} ${WAITING} and c.id = any($2::int[]) order by c.id for update of c`,
    [customerOf(scope), [...ids]],
  )
  return rows
}

export async function refuseClaims(transaction: Tx, ids: readonly number[]): Promise<void> {
  await statementsOf(transaction).query('update device_claim set refused_at = now() where id = any($1::int[])', [
    [...ids],
  ])
}

/** Forgets claims that nobody wants any more: a code that no device shows, and what has been silent for long. */
export const forgottenClaimsJob: Job = {
  name: 'forgotten claims',
  everyMs: HOUR_MS,
  async run(owner) {
    await owner.query(`delete from device_claim where claimed_id is null and (
      (claim_key_id is null and seen_at < now() - interval '1 hour') or seen_at < now() - interval '30 days')`)
    await owner.query(`delete from device_claim c where exists (
      select from device d where d.id = c.claimed_id and d.deleted_at < now() - interval '1 day')`)
  },
}
