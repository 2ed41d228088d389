import { isDeepStrictEqual } from 'node:util'
import type { ReadBodyOf, ReadQueryOf } from '#contract/call/call.ts'
import type { changeDeviceTags, setDeviceDetails, setDeviceStatus } from '#contract/http/devices/details.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import { SETTABLE_STATUS_IDS } from '#domain/devices/status.ts'
import { changedTags, distinctTags, MOST_TAGS } from '#domain/devices/tags.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { notValid, required, tooManyTags } from '#domain/validation/messages.ts'
import { isTimeZoneName } from '#domain/validation/timeZone.ts'
import type { Given } from '#server/features/feature.ts'
import { changeDevice } from '#server/fleet/changeDevice.ts'
import { findCustomer } from '#server/fleet/customerLookup.ts'
import { assumedZone, type ZoneOfDevice } from '#server/fleet/timeZone.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { changedFields, foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { isWithin } from '#server/http/call/scopeSql.ts'
import { type DeviceDetails, endedOverrides, lastChangedBy, updateDetails } from '../deviceDetails.store.ts'
import { leaveCustomer } from './deviceMove.store.ts'
import { lockWithDetails } from './devices.store.ts'

type Deps = Pick<Given, 'db' | 'live'>
type RequestedDetails = ReadBodyOf<typeof setDeviceDetails>

/** Both customers see this, each in their own part of the row. */
const MOVED = 'The device was moved to another customer.'

/** A description has thousands of characters, so values in a sentence are cut. */
const LONGEST_SHOWN = 60

const PLAIN_FIELDS = [
  'name',
  'address',
  'attrSerial',
  'tags',
  'description',
  'internalIp',
  'externalIp',
  'latitude',
  'longitude',
  'modelId',
  'customerId',
] as const

export function setDetails(deps: Deps, asked: RequestedDetails, caller: Caller, change: ChangeRecord) {
  const { timeZone, ...fields } = asked
  return changeFields(deps, asked.id, caller, change, async (before, transaction) => {
    const wanted = { ...fields, ...wantedTags(before, asked) }
    const { after: plain } = changedFields<DeviceDetails>(before, wanted, PLAIN_FIELDS)
    // A customer's user must not learn that another customer exists.
    if (asked.customerId !== undefined && !isWithin(scopeOf(caller), asked.customerId)) throw notFound()
    requireRights(plain, caller)
    await refuseOvertaken(before, asked, (names) => lastChangedBy(transaction, asked.id, names, scopeOf(caller)))
    if (plain.modelId !== undefined && !DEVICE_MODELS.some(({ id }) => id === plain.modelId)) {
      throw new CallError('invalid_request', notValid('modelId'))
    }
    const after = { ...before, ...plain }
    requirePosition(after)
    const countryZone = await zoneOfCountry(transaction, after.customerId, plain.customerId !== undefined, caller)
    return { ...plain, ...zoneAfter(before, after, timeZone, countryZone) }
  })
}

export const changeTags = (
  deps: Deps,
  { id, ...asked }: ReadBodyOf<typeof changeDeviceTags>,
  caller: Caller,
  change: ChangeRecord,
) => changeFields(deps, id, caller, change, ({ tags }) => ({ tags: fewTags(changedTags(tags, asked)) }))

export function setStatus(
  deps: Deps,
  { id, statusId }: ReadQueryOf<typeof setDeviceStatus>,
  caller: Caller,
  change: ChangeRecord,
) {
  if (!SETTABLE_STATUS_IDS.some((settable) => settable === statusId)) {
    throw new CallError('invalid_request', notValid('statusId'))
  }
  return changeFields(deps, id, caller, change, () => ({ statusId }))
}

/** Changes the fields that differ, audits exactly those, and informs the consoles that watch the device. */
async function changeFields(
  { db, live }: Deps,
  id: DeviceId,
  caller: Caller,
  change: ChangeRecord,
  wanted: (before: Device, transaction: Tx) => Promise<Partial<DeviceDetails>> | Partial<DeviceDetails>,
): Promise<Device> {
  const request = { id, caller, change }
  const { device, hasMoved } = await changeDevice(db, lockWithDetails, request, async (found, transaction) => {
    const { before: replaced, after } = changedFields<DeviceDetails>(found, await wanted(found, transaction))
    const hasMoved = after.customerId !== undefined
    if (hasMoved) await leaveCustomer(transaction, id)
    const device = await updateDetails(transaction, id, after, caller.userId)
    const overrides = await endedOverrides(transaction, id, after)
    // When the device moves, its new customer must not read what it was before.
    const before = overrides.length > 0 ? { ...replaced, overrides } : replaced
    const moved = after.customerId && { arrivedCustomerId: after.customerId, details: MOVED }
    return { audited: { before, after, ...moved }, answer: { device, hasMoved } }
  })
  if (hasMoved) live.noteAlerts(new Set([id]))
  live.noteChanged(id)
  return device
}

async function zoneOfCountry(
  transaction: Tx,
  customerId: CustomerId,
  isNew: boolean,
  caller: Caller,
): Promise<string | null> {
  const customer = await foundRow(findCustomer(transaction, customerId, scopeOf(caller)))
  if (isNew && !customer.isActive) throw new CallError('customer_deactivated')
  return customer.timeZone
}

/**
 * Refuses a change when somebody else has changed the same fields since the author read them, and shows both values.
 * Other fields that were changed meanwhile stay as they are.
 */
async function refuseOvertaken(
  now: Device,
  { basedOn = {}, ...asked }: RequestedDetails,
  author: (fields: readonly string[]) => Promise<string | undefined>,
): Promise<void> {
  const fields = Object.entries(basedOn).flatMap(([name, seen]) => {
    const [theirs, yours] = [now[name as keyof typeof basedOn], asked[name as keyof typeof basedOn]]
    const isOvertaken = yours !== undefined && !isDeepStrictEqual(theirs, seen) && !isDeepStrictEqual(theirs, yours)
    return isOvertaken ? [{ name, theirs, yours }] : []
  })
  if (fields.length === 0) return
  const who = (await author(fields.map(({ name }) => name))) ?? 'Somebody'
  const both = fields.map(({ name, theirs, yours }) => `${name} is ${inShort(theirs)} now, yours is ${inShort(yours)}`)
  const message = `${who} has changed this meanwhile: ${both.join('; ')}. Nothing of yours was saved: see both, and save again.`
  throw new CallError('settings_changed', message)
}

function inShort(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

/** Tags of one customer are not for the next: a move clears them, unless new ones come with it. */
function wantedTags({ tags, customerId }: Device, asked: RequestedDetails): Partial<Pick<DeviceDetails, 'tags'>> {
  const isMove = asked.customerId !== undefined && asked.customerId !== customerId
  const wanted = asked.tags && fewTags(distinctTags(asked.tags))
  if (isMove && (wanted === undefined || isDeepStrictEqual(wanted, tags))) return { tags: [] }
  return wanted === undefined ? {} : { tags: wanted }
}

function fewTags(tags: string[]): string[] {
  if (tags.length > MOST_TAGS) throw new CallError('invalid_request', tooManyTags('tags', MOST_TAGS, tags.length))
  return tags
}

/** Admins may change the model (rules/permissions 2), and staff admins the customer (rules/permissions 11). */
function requireRights({ modelId, customerId }: Partial<DeviceDetails>, caller: Caller): void {
  const isAdmin = isAllowed('admin', caller)
  if (modelId !== undefined && !isAdmin) throw new CallError('forbidden')
  if (customerId !== undefined && !(isAdmin && caller.customerId === undefined)) throw new CallError('forbidden')
}

function requirePosition({ latitude, longitude }: Device): void {
  if (latitude !== null && longitude === null) throw new CallError('invalid_request', required('longitude'))
  if (longitude !== null && latitude === null) throw new CallError('invalid_request', required('latitude'))
}

/**
 * A zone that differs was chosen, and null takes the choice back. A record that is sent back unchanged chooses nothing,
 * so an assumed zone keeps following the position and the customer.
 */
function zoneAfter(
  before: Device,
  after: Device,
  asked: string | null | undefined,
  countryZone: string | null,
): ZoneOfDevice {
  if (typeof asked === 'string' && asked !== before.timeZone) {
    if (!isTimeZoneName(asked)) throw new CallError('invalid_request', notValid('timeZone'))
    return { timeZone: asked, timeZoneIsAssumed: false }
  }
  const hasMoved =
    before.latitude !== after.latitude || before.longitude !== after.longitude || before.customerId !== after.customerId
  if (asked === null || (before.timeZoneIsAssumed && hasMoved)) return assumedZone(after, countryZone)
  const { timeZone, timeZoneIsAssumed } = before
  return { timeZone, timeZoneIsAssumed }
}
