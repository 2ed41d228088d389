import { isDeepStrictEqual } from 'node:util'
import type { AlertCondition } from '#contract/http/alerting/thresholds.ts'
import { conditionReach, WIDEST_REACH } from '#domain/alerts/conditionReach.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import {
  closeLocked,
  forgetStrayStates,
  lockAlerts,
  openAlertIds,
  strayAlertIds,
} from '#server/telemetry/alerts/closing.ts'
import { CONDITION_REMOVED } from '#server/telemetry/alerts/refold/strayAlerts.ts'
import { countDevicesOf } from './conditionCounts.store.ts'
import { type RequestedCondition, readConditionFields, textOf, toCondition } from './conditionLabels.ts'
import { placeOf, requireMayEdit, whoseOf } from './conditionPlace.ts'
import {
  type ConditionFields,
  type ConditionPlace,
  changeConditionRow,
  forgetStates,
  insertCondition,
  lockCondition,
  lockOverrides,
  markDeleted,
  renameCondition,
  type StoredCondition,
} from './thresholds.store.ts'

type ConditionDeps = Pick<Given, 'db' | 'live'>

/** A change in its transaction: the condition as it is then, and the devices whose alerts it has closed. */
interface Written {
  readonly condition: StoredCondition
  readonly placeName: string
  readonly devices: ReadonlySet<DeviceId>
}

export async function setCondition(
  { db, live }: ConditionDeps,
  asked: RequestedCondition,
  caller: Caller,
  change: ChangeRecord,
): Promise<AlertCondition> {
  const fields = readConditionFields(asked)
  change.about({ name: textOf(fields), ...(asked.id > 0 && { id: asked.id }) })
  const write = asked.id > 0 ? edited : added
  const {
    condition: stored,
    placeName,
    devices,
  } = await db.transaction().execute((transaction) => write(transaction, { asked, fields, caller, change }))
  live.noteAlerts(devices)
  const countOf = await countDevicesOf(db, scopeOf(caller), [stored])
  const condition = toCondition(stored, placeName, countOf(stored))
  if (condition === undefined) throw new Error('A condition that was just stored is not known.')
  return condition
}

interface Request {
  readonly asked: RequestedCondition
  readonly fields: ConditionFields
  readonly caller: Caller
  readonly change: ChangeRecord
}

async function added(transaction: Tx, { asked, fields, caller, change }: Request): Promise<Written> {
  const { place, placeName, customerId } = await placeOf(transaction, asked, caller)
  const base = await overridden(transaction, asked, place, caller)
  const overridesId = base?.id ?? null
  const id = await insertCondition(transaction, fields, { ...place, overridesId }, caller.userId)
  const devices = base === null ? new Set<DeviceId>() : await closeReplaced(transaction, base.id)
  const { tagKey: _, ...named } = place
  const replaced = base && {
    overridesId: base.id,
    overrides: namedOf(base, (await whoseOf(transaction, base, scopeOf(caller))).placeName),
  }
  await change.done(transaction, {
    id,
    name: namedOf(fields, placeName),
    customerId,
    isNew: true,
    after: { ...fields, ...named, ...replaced },
  })
  return { condition: { id, ...fields, ...place, overridesId }, placeName, devices }
}

async function edited(transaction: Tx, { asked, fields: wanted, caller, change }: Request): Promise<Written> {
  const known = await lockOwn(transaction, asked.id, caller)
  const { id, deviceId, modelId, customerId: ofCustomer, tag, tagKey: key, overridesId, ...before } = known
  const place = { deviceId, modelId, customerId: ofCustomer, tag, tagKey: key }
  const fields = asked.title === undefined ? { ...wanted, title: before.title } : wanted
  refuseMove(asked, known)
  if (fields.isOff && overridesId === null) throw refused(notValid('isOff'))
  const { customerId, placeName } = await whoseOf(transaction, place, scopeOf(caller))
  if (isDeepStrictEqual({ ...fields, title: null }, { ...before, title: null }))
    await renameCondition(transaction, id, fields.title, caller.userId)
  else await changeConditionRow(transaction, id, fields, caller.userId)
  // A condition of another field or kind is about something else, so its old alerts are closed.
  const isAnother = fields.fieldId !== before.fieldId || fields.kind !== before.kind || fields.isOff !== before.isOff
  const devices = isAnother ? await closeAlertsOf(transaction, id) : new Set<DeviceId>()
  await change.done(transaction, { id, name: namedOf(fields, placeName), customerId, before, after: fields })
  return { condition: { id, ...place, overridesId, ...fields }, placeName, devices }
}

/** The place must stay: an open alert would be left on a device that the condition no longer watches. */
function refuseMove(asked: RequestedCondition, known: StoredCondition): void {
  for (const name of ['deviceId', 'modelId', 'customerId'] as const)
    if (asked[name] != null && asked[name] !== known[name]) throw refused(notValid(name))
  if (asked.tag != null && tagKey(asked.tag) !== known.tagKey) throw refused(notValid('tag'))
  if (asked.allDevices && conditionReach(known) !== WIDEST_REACH) throw refused(notValid('allDevices'))
  if (asked.overridesId != null && asked.overridesId !== known.overridesId) throw refused(notValid('overridesId'))
}

export async function removeCondition(
  { db, live }: ConditionDeps,
  id: number,
  caller: Caller,
  change: ChangeRecord,
): Promise<true> {
  change.about({ id })
  const devices = await db.transaction().execute(async (transaction) => {
    const { id: _, tagKey: __, ...before } = await lockOwn(transaction, id, caller)
    const { customerId, placeName } = await whoseOf(transaction, before, scopeOf(caller))
    const affected = new Set<DeviceId>()
    // Its overrides have nothing to replace any more, so they go with it.
    const removedOverrides = await lockOverrides(transaction, id)
    for (const one of [...removedOverrides, id]) {
      await markDeleted(transaction, one, caller.userId)
      for (const deviceId of await closeAlertsOf(transaction, one)) affected.add(deviceId)
    }
    const after = { closedAlertsOnDevices: affected.size, removedOverrides }
    await change.done(transaction, { id, name: namedOf(before, placeName), customerId, before, after })
    return affected
  })
  live.noteAlerts(devices)
  return true
}

async function lockOwn(transaction: Tx, id: number, caller: Caller): Promise<StoredCondition> {
  const found = await foundRow(lockCondition(transaction, id, scopeOf(caller)))
  requireMayEdit(found, caller)
  return found
}

/** Finds the overridden condition, which has to name more devices than the one that replaces it. */
async function overridden(
  transaction: Tx,
  { overridesId, isOff }: RequestedCondition,
  place: ConditionPlace,
  caller: Caller,
): Promise<StoredCondition | null> {
  if (overridesId == null) {
    if (isOff) throw refused(notValid('isOff'))
    return null
  }
  const base = await foundRow(lockCondition(transaction, overridesId, scopeOf(caller)))
  if (base.overridesId !== null || conditionReach(place) >= conditionReach(base)) throw refused(notValid('overridesId'))
  return base
}

/** Closes the alerts of a condition that is locked, so that none opens meanwhile. */
async function closeAlertsOf(transaction: Tx, conditionId: number): Promise<ReadonlySet<DeviceId>> {
  const devices = await closeRemoved(transaction, await openAlertIds(transaction, conditionId))
  await forgetStates(transaction, conditionId)
  return devices
}

/** Closes the alerts of a condition on the devices where a narrower one now replaces it. */
async function closeReplaced(transaction: Tx, conditionId: number): Promise<ReadonlySet<DeviceId>> {
  const devices = await closeRemoved(transaction, await strayAlertIds(transaction, conditionId))
  await forgetStrayStates(transaction, conditionId)
  return devices
}

async function closeRemoved(transaction: Tx, ids: readonly AlertId[]): Promise<ReadonlySet<DeviceId>> {
  const alerts = await lockAlerts(transaction, ids)
  if (alerts.length > 0) await closeLocked(transaction, alerts, CONDITION_REMOVED)
  return new Set(alerts.map(({ deviceId }) => deviceId))
}

/** The audit log names a condition by its text and its place. */
const namedOf = (fields: ConditionFields, placeName: string) => [textOf(fields), placeName].filter(Boolean).join(' · ')

const refused = (sentence: string) => new CallError('invalid_request', sentence)
