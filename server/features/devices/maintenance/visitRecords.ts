import type { addVisitPhoto, recordVisit } from '#contract/http/devices/visits.ts'
import { LARGEST_PHOTO_BYTES, MOST_VISIT_PHOTOS } from '#contract/http/devices/visits.ts'
import { notValid } from '#domain/validation/messages.ts'
import { jpegTrouble } from '#domain/visits/jpeg.ts'
import type { Db } from '#server/db/database.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { SignedInRequest } from '#server/http/call/route.ts'
import { addPhoto, addWritten, findRecorded, findVisit, lockOwnVisit, writeDown } from './fieldVisits.store.ts'
import { addEntry } from './maintenance.store.ts'
import { checkedEntry, writtenEntry } from './maintenanceEntries.ts'

const ASKED_AGAIN = 'Sent again: it was written down before.'

/**
 * Writes down what was done on site. A planned visit that was cancelled meanwhile, or done by somebody else, does not
 * refuse it: it becomes a visit of its own, because somebody was there (rules/maintenance 6).
 */
export async function writeVisit(
  db: Db,
  { body, caller, change, idempotencyKey = undefined }: SignedInRequest<typeof recordVisit>,
): Promise<{ readonly visitId: number; readonly entryId: number }> {
  const { deviceId, visitId, checklist, parts } = body
  const scope = scopeOf(caller)
  const entry = checkedEntry(body)
  return db.transaction().execute(async (transaction) => {
    const { name, customerId } = await foundRow(lockDevice(transaction, deviceId, scope))
    change.about({ name })
    const earlier = idempotencyKey && (await findRecorded(transaction, deviceId, idempotencyKey, caller.userId))
    if (earlier) {
      if (earlier.entryId === null) throw notFound()
      await change.done(transaction, { id: earlier.visitId, name, customerId, details: ASKED_AGAIN })
      return { visitId: earlier.visitId, entryId: earlier.entryId }
    }
    const written = await writtenEntry(transaction, { deviceId, customerId }, entry)
    const entryId = await addEntry(transaction, deviceId, written, caller)
    const visit = {
      ...{ entryId, checklist, parts, key: idempotencyKey ?? null, by: caller.userId },
      startAt: entry.startAt,
      endAt: entry.endAt ?? entry.startAt,
    }
    const planned = visitId === null ? undefined : await findVisit(transaction, visitId, scope)
    const isPlanned = planned?.deviceId === deviceId && planned.state === 'planned'
    const id = isPlanned ? planned.id : await addWritten(transaction, { deviceId, customerId }, visit)
    if (isPlanned) await writeDown(transaction, deviceId, id, visit)
    await change.done(transaction, { id, name, customerId, after: { ...written, checklist, parts }, isNew: true })
    return { visitId: id, entryId }
  })
}

/** Adds a photo to a visit that the caller has written down; the same key adds nothing. */
export async function takePhoto(
  db: Db,
  { body, caller, change }: SignedInRequest<typeof addVisitPhoto>,
): Promise<true> {
  const { visitId, key, takenDt } = body
  change.about({ id: visitId })
  const jpeg = Buffer.from(body.jpeg, 'base64')
  const trouble = jpeg.length > LARGEST_PHOTO_BYTES ? 'larger than 2 MB' : jpegTrouble(jpeg)
  if (trouble !== undefined) throw new CallError('invalid_request', `${notValid('jpeg')}: ${trouble}`)
  await db.transaction().execute(async (transaction) => {
    const visit = await foundRow(lockOwnVisit(transaction, visitId, caller.userId, scopeOf(caller)))
    const { deviceId } = visit
    const count = await addPhoto(transaction, { deviceId, visitId, key, takenAt: new Date(takenDt), jpeg })
    if (count > MOST_VISIT_PHOTOS) {
      throw new CallError('invalid_request', `A visit has at most ${MOST_VISIT_PHOTOS} photos`)
    }
    const after = { photos: count }
    await change.done(transaction, { id: visitId, name: visit.name, customerId: visit.customerId, after })
  })
  return true
}
