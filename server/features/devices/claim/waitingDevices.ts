import { randomUUID } from 'node:crypto'
import type { acceptDevices, refuseDevices, WaitingDevice } from '#contract/http/devices/claims.ts'
import { hardwareName, isNamePattern, nameByPattern } from '#domain/claims/namePattern.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { SignedInRequest } from '#server/http/call/route.ts'
import { insertDevices } from '../newDevice.store.ts'
import { completeNewDevice } from '../newDevice.ts'
import { completeClaim, listWaiting, lockWaiting, refuseClaims } from './claims.store.ts'

export async function readWaiting(db: Db, caller: Caller): Promise<WaitingDevice[]> {
  const rows = await listWaiting(db, scopeOf(caller))
  return rows.map(({ keyHash: _, askedAt, seenAt, ...row }) => ({
    ...row,
    askedAt: askedAt.toISOString(),
    seenAt: seenAt.toISOString(),
  }))
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
    const claims = await lockWaiting(transaction, scopeOf(caller), ids)
    if (claims.length < new Set(ids).size) throw notFound()
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

/** Refuses all of these devices or none. */
export async function refuse(
  db: Db,
  { body: { ids }, caller, change }: SignedInRequest<typeof refuseDevices>,
): Promise<true> {
  await db.transaction().execute(async (transaction) => {
    const claims = await lockWaiting(transaction, scopeOf(caller), ids)
    if (claims.length < new Set(ids).size) throw notFound()
    await refuseClaims(transaction, ids)
    const names = claims.map(({ facts }) => hardwareName(facts))
    const details = `Refused ${claims.length}: ${names.join(', ')}`
    await change.done(transaction, { name: names[0] ?? '', customerId: caller.customerId ?? null, details })
  })
  return true
}
