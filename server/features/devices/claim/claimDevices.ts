import type { AnswerOf } from '#contract/call/call.ts'
import type { claimDevice, FoundClaim, findClaim, giveRecord } from '#contract/http/devices/claims.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { formatClaimCode, readClaimCode } from '#domain/claims/claimCode.ts'
import { hardwareName } from '#domain/claims/namePattern.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { Db } from '#server/db/database.ts'
import { changeDevice } from '#server/fleet/changeDevice.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { SignedInRequest } from '#server/http/call/route.ts'
import { type Allowance, giveAllowanceBack, takeAllowance } from '#server/http/limits/allowance.store.ts'
import { insertDevice } from '../newDevice.store.ts'
import { completeNewDevice } from '../newDevice.ts'
import { isForeign, shownTo } from './claimedBefore.ts'
import {
  completeClaim,
  countWrongTry,
  findByUsedCode,
  findSameHardware,
  type KnownHardware,
  lockOpenClaim,
  type SeenClaim,
} from './claims.store.ts'

/** Five wrong codes at once, then one every two minutes. A right code takes nothing. */
const TRIES_OF_USER: Allowance = { atOnce: 5, perHour: 30 }
/** Several people of one office claim at the same time. */
const TRIES_OF_ADDRESS: Allowance = { atOnce: 20, perHour: 120 }

/** Finds the device that shows the code, for somebody who is about to claim it. */
export async function findByCode(
  db: Db,
  { body, caller, change }: SignedInRequest<typeof findClaim>,
): Promise<FoundClaim> {
  const { claim, known } = await openClaim(db, body.code, caller)
  await db
    .transaction()
    .execute((transaction) =>
      change.done(transaction, { id: claim.id, name: hardwareName(claim.facts), details: 'Looked at.' }),
    )
  const { facts, address, askedAt, seenAt } = claim
  return {
    facts,
    address,
    askedAt: askedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    knownAs: shownTo(caller, known),
  }
}

/** Makes a device of the one that shows the code; its own key becomes the key of the device. */
export async function claimByCode(
  db: Db,
  { body, caller, change }: SignedInRequest<typeof claimDevice>,
): Promise<Device> {
  const { code, ...asked } = body
  change.about({ name: asked.name })
  const { claim: found } = await openClaim(db, code, caller)
  const [attrSerial = ''] = found.facts.serialNumbers
  const device = await completeNewDevice(db, { ...asked, attrSerial }, caller)
  return db.transaction().execute(async (transaction) => {
    // Somebody else may have been faster since the claim was found.
    const { claim } = await requireOpen(transaction, code, caller)
    const created = await insertDevice(transaction, device)
    await completeClaim(transaction, claim, created.id)
    const { name, modelId, customerId } = device
    const after = { name, modelId, customerId, statusId: created.statusId }
    const details = `Claimed by ${wordsOf(code, claim)}`
    await change.done(transaction, { id: created.id, name, customerId, after, details })
    return created
  })
}

/** Gives the record of a device to a box with the same hardware: one that was installed anew. */
export async function giveRecordByCode(
  db: Db,
  { body: { code, deviceId }, caller, change }: SignedInRequest<typeof giveRecord>,
): Promise<AnswerOf<typeof giveRecord>> {
  change.about({ id: deviceId })
  await openClaim(db, code, caller)
  return changeDevice(db, lockDevice, { id: deviceId, caller, change }, async (_device, transaction) => {
    const { claim, known } = await requireOpen(transaction, code, caller)
    const answer = shownTo(caller, known)
    if (answer?.id !== deviceId) throw notFound()
    await completeClaim(transaction, claim, deviceId)
    return { audited: { details: `Given to the box with ${wordsOf(code, claim)}` }, answer }
  })
}

const wordsOf = (code: string, { address }: SeenClaim) =>
  `the code ${formatClaimCode(readClaimCode(code) ?? '')}, from ${address}.`

interface OpenClaim {
  readonly claim: SeenClaim
  readonly known: KnownHardware | undefined
}

/**
 * Locks the claim that shows this code. A customer must not learn that another one has this hardware, so the code is no
 * good to them; staff decide.
 */
async function findOpen(db: Db | Tx, code: string, caller: Caller): Promise<OpenClaim | undefined> {
  const claim = await lockOpenClaim(db, code)
  // A wrong code takes the same steps, so that no time tells it from others.
  const [known] = await findSameHardware(db, [claim?.id ?? 0])
  return claim && !isForeign(caller, known) ? { claim, known } : undefined
}

async function requireOpen(db: Db | Tx, code: string, caller: Caller): Promise<OpenClaim> {
  const open = await findOpen(db, readClaimCode(code) ?? '', caller)
  if (!open) throw new CallError('claim_not_valid')
  return open
}

/**
 * Finds the claim of a code within the caller's tries, which all servers count together.
 * @throws CallError `claim_not_valid` for a wrong, an expired, a spent and a used code; staff are told who has a device
 */
async function openClaim(db: Db, typed: string, caller: Caller): Promise<OpenClaim> {
  const tries = [
    [`claim-try:user:${caller.userId}`, TRIES_OF_USER],
    [`claim-try:address:${limitKeyOf(caller.address)}`, TRIES_OF_ADDRESS],
  ] as const
  for (const [subject, allowance] of tries) {
    const wait = await takeAllowance(db, subject, allowance)
    if (wait > 0) throw new CallError('too_many_requests', undefined, { retryAfterSeconds: wait })
  }
  const code = readClaimCode(typed)
  const open = code === undefined ? undefined : await findOpen(db, code, caller)
  if (!open) throw await refusalOfCode(db, code, caller)
  for (const [subject, allowance] of tries) await giveAllowanceBack(db, subject, allowance)
  return open
}

async function refusalOfCode(db: Db, code: string | undefined, caller: Caller): Promise<CallError> {
  if (code !== undefined) await countWrongTry(db, code)
  const taken = code === undefined || caller.customerId !== undefined ? undefined : await findByUsedCode(db, code)
  return taken
    ? new CallError('claim_taken', `This device was claimed as “${taken.name}” of ${taken.customerName}.`)
    : new CallError('claim_not_valid')
}
