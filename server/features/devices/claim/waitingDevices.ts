import { randomUUID } from 'node:crypto'
import type { acceptAsDevices, acceptDevices, refuseDevices, WaitingDevice } from '#contract/http/devices/claims.ts'
import { hardwareName, isNamePattern, nameByPattern } from '#domain/claims/namePattern.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { SignedInRequest } from '#server/http/call/route.ts'
import { insertDevices } from '../newDevice.store.ts'
import { completeNewDevice } from '../newDevice.ts'
import { isForeign, shownTo } from './claimedBefore.ts'
import {
  completeClaim,
  findSameHardware,
  listWaiting,
  lockWaiting,
  refuseClaims,
  type SeenClaim,
} from './claims.store.ts'

type LockedDevice = NonNullable<Awaited<ReturnType<typeof lockDevice>>>

export async function readWaiting(db: Db, caller: Caller): Promise<WaitingDevice[]> {
  const rows = await listWaiting(db, scopeOf(caller))
  const known = await knownOf(db, rows)
  return rows
    .filter(({ id }) => !isForeign(caller, known.get(id)))
    .map(({ keyHash: _, askedAt, seenAt, ...row }) => ({
      ...row,
      askedAt: askedAt.toISOString(),
      seenAt: seenAt.toISOString(),
      knownAs: shownTo(caller, known.get(row.id)),
    }))
}

const knownOf = async (db: Db | Tx, claims: readonly SeenClaim[]) =>
  new Map(
    (
      await findSameHardware(
        db,
        claims.map(({ id }) => id),
      )
    ).map((known) => [known.claimId, known]),
  )

/** Locks these devices that wait, in the order in which they came, and says what they are already. */
async function requireWaiting(transaction: Tx, caller: Caller, ids: readonly number[]) {
  const claims = await lockWaiting(transaction, scopeOf(caller), ids)
  const known = await knownOf(transaction, claims)
  const isMissing = claims.length < new Set(ids).size || claims.some(({ id }) => isForeign(caller, known.get(id)))
  if (isMissing) throw notFound()
  return { claims, known }
}

/** Accepts all of these devices or none. */
export async function accept(
  db: Db,
  { body: { ids, namePattern, firstNumber, ...asked }, caller, change }: SignedInRequest<typeof acceptDevices>,
): Promise<{ names: string[] }> {
  change.about({ name: namePattern })
  if (ids.length > 1 && !isNamePattern(namePattern))
    throw new CallError('invalid_request', 'namePattern: several devices need {n}, {serial} or {mac} in their name.')
  const wanted = await completeNewDevice(db, { ...asked, name: namePattern }, caller)
  return db.transaction().execute(async (transaction) => {
    const { claims } = await requireWaiting(transaction, caller, ids)
    const devices = claims.map(({ facts }, index) => {
      const name = nameByPattern(namePattern, firstNumber + index, facts)
      if (name === '' || name.length > 200) throw new CallError('invalid_request', notValid('namePattern'))
      return { ...wanted, guid: randomUUID() as DeviceGuid, name, attrSerial: facts.serialNumbers[0] ?? '' }
    })
    const deviceIds = await insertDevices(transaction, devices)
    for (const [at, claim] of claims.entries()) await completeClaim(transaction, claim, deviceIds[at] as DeviceId)
    const names = devices.map(({ name }) => name)
    const { customerId } = wanted
    const details = `Accepted ${names.length}: ${names.join(', ')}`
    await change.done(transaction, { name: namePattern, customerId, details })
    return { names }
  })
}

/** Lets all of these boxes go on as the devices that they look like, or none: they were installed anew. */
export async function acceptAs(
  db: Db,
  { body: { records }, caller, change }: SignedInRequest<typeof acceptAsDevices>,
): Promise<{ names: string[] }> {
  const wanted = new Map(records.map(({ id, deviceId }) => [id, deviceId]))
  if (new Set(wanted.values()).size < records.length)
    throw new CallError('invalid_request', 'records: a box and a device can be named once only.')
  return db.transaction().execute(async (transaction) => {
    const { claims, known } = await requireWaiting(transaction, caller, [...wanted.keys()])
    // Locked in one order, two such calls cannot wait for each other.
    const locked = new Map<DeviceId, LockedDevice>()
    for (const deviceId of [...wanted.values()].sort((a, b) => a - b))
      locked.set(deviceId, await foundRow(lockDevice(transaction, deviceId, scopeOf(caller))))
    const devices: (LockedDevice & { readonly id: DeviceId })[] = []
    for (const claim of claims) {
      const id = wanted.get(claim.id) as DeviceId
      if (known.get(claim.id)?.id !== id) throw notFound()
      await completeClaim(transaction, claim, id)
      devices.push({ ...(locked.get(id) as LockedDevice), id })
    }
    const names = devices.map(({ name }) => name)
    const [first, ...others] = devices
    const one = first && others.length === 0 ? { id: first.id, customerId: first.customerId } : {}
    const details = `Accepted as ${names.length === 1 ? 'the device' : `${names.length} devices`}: ${names.join(', ')}`
    await change.done(transaction, { name: names[0] ?? '', ...one, details })
    return { names }
  })
}

/** Refuses all of these devices or none. */
export async function refuse(
  db: Db,
  { body: { ids }, caller, change }: SignedInRequest<typeof refuseDevices>,
): Promise<true> {
  await db.transaction().execute(async (transaction) => {
    const { claims } = await requireWaiting(transaction, caller, ids)
    await refuseClaims(transaction, ids)
    const names = claims.map(({ facts }) => hardwareName(facts))
    const details = `Refused ${claims.length}: ${names.join(', ')}`
    await change.done(transaction, { name: names[0] ?? '', customerId: caller.customerId ?? null, details })
  })
  return true
}
