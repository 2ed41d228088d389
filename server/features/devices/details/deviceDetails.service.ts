import { isDeepStrictEqual } from 'node:util'
import type { ReadBodyOf } from '#contract/call/call.ts'
import type { changeDeviceTags, setDeviceDetails } from '#contract/http/devices/details.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import { SETTABLE_STATUS_IDS } from '#domain/devices/status.ts'
import { changedTags, distinctTags, MOST_TAGS } from '#domain/devices/tags.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { notValid, required, tooManyTags } from '#domain/validation/messages.ts'
import { isTimeZoneName } from '#domain/validation/timeZone.ts'
import { assumedZone, type ZoneOfDevice } from '#server/fleet/timeZone.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { DeviceDetails, DeviceDetailsStore } from './deviceDetails.store.ts'
import type { DeviceStore } from './devices.store.ts'

export interface DeviceDetailsDeps {
  readonly store: Pick<DeviceStore, 'transaction' | 'lock' | 'findCustomer'>
  readonly details: DeviceDetailsStore
  /** Is called after the commit, to inform consoles that watch the device. */
  readonly onChanged: (deviceId: DeviceId) => void
  /** Is called after the commit, when open alerts of the device were closed. */
  readonly onAlerts: (devices: ReadonlySet<DeviceId>) => void
}

type RequestedDetails = ReadBodyOf<typeof setDeviceDetails>

export interface DeviceDetailsService {
  readonly setDetails: (asked: RequestedDetails, caller: Caller, change: ChangeRecord) => Promise<Device>
  readonly changeTags: (
    asked: ReadBodyOf<typeof changeDeviceTags>,
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<Device>
  readonly setStatus: (id: DeviceId, statusId: number, caller: Caller, change: ChangeRecord) => Promise<Device>
}

/** Both customers see this, each in their own part of the row. */
const MOVED = 'The device was moved to another customer.'

/** A description has thousands of characters, so values in a sentence are cut. */
const LONGEST_SHOWN = 60

const PLAIN_FIELDS = [
  'name',
  'address',
  'attrSerial',
  'description',
  'internalIp',
  'externalIp',
  'latitude',
  'longitude',
  'modelId',
  'customerId',
] as const

export function createDeviceDetails({ store, details, onChanged, onAlerts }: DeviceDetailsDeps): DeviceDetailsService {
  /** Locks the device, changes the fields that differ, and audits exactly those. */
  async function changed(
    id: DeviceId,
    caller: Caller,
    change: ChangeRecord,
    wanted: (before: Device, transaction: Tx) => Promise<Partial<DeviceDetails>> | Partial<DeviceDetails>,
  ): Promise<Device> {
    change.about({ id })
    let hasMoved = false
    const device = await store.transaction(async (transaction) => {
      const found = await store.lock(id, scopeOf(caller), transaction)
      if (!found) throw notFound()
      change.about({ name: found.name })
      const after = differing(found, await wanted(found, transaction))
      const replaced = pick(found, Object.keys(after) as (keyof DeviceDetails)[])
      hasMoved = after.customerId !== undefined
      if (hasMoved) await details.leaveCustomer(id, transaction)
      const now = await details.update(id, after, caller.userId, transaction)
      const overrides = await details.endedOverrides(id, after, transaction)
      // When the device moves, its new customer must not read what it was before.
      const before = overrides.length > 0 ? { ...replaced, overrides } : replaced
      const moved = after.customerId && { arrivedCustomerId: after.customerId, details: MOVED }
      await change.done(transaction, { id, name: found.name, customerId: found.customerId, before, after, ...moved })
      return now
    })
    if (hasMoved) onAlerts(new Set([id]))
    onChanged(id)
    return device
  }

  async function zoneOfCountry(
    customerId: CustomerId,
    isNew: boolean,
    caller: Caller,
    transaction: Tx,
  ): Promise<string | null> {
    const customer = await store.findCustomer(customerId, scopeOf(caller), transaction)
    if (!customer) throw notFound()
    if (isNew && !customer.isActive) throw new CallError('customer_deactivated')
    return customer.timeZone
  }

  return {
    setDetails: (asked, caller, change) =>
      changed(asked.id, caller, change, async (before, transaction) => {
        const plain = differing(before, { ...pick(asked, PLAIN_FIELDS), ...wantedTags(before, asked) })
        requireOwnCustomer(asked.customerId, caller)
        requireRights(plain, caller)
        await refuseOvertaken(before, asked, (fields) =>
          details.lastChangedBy(asked.id, fields, scopeOf(caller), transaction),
        )
        if (plain.modelId !== undefined && !DEVICE_MODELS.some(({ id }) => id === plain.modelId)) {
          throw new CallError('invalid_request', notValid('modelId'))
        }
        const after = { ...before, ...plain }
        requirePosition(after)
        const countryZone = await zoneOfCountry(after.customerId, plain.customerId !== undefined, caller, transaction)
        return { ...plain, ...zoneAfter(before, after, asked.timeZone, countryZone) }
      }),

    changeTags: ({ id, ...asked }, caller, change) =>
      changed(id, caller, change, ({ tags }) => ({ tags: fewTags(changedTags(tags, asked)) })),

    setStatus: (id, statusId, caller, change) => {
      if (!SETTABLE_STATUS_IDS.some((id) => id === statusId))
        throw new CallError('invalid_request', notValid('statusId'))
      return changed(id, caller, change, () => ({ statusId }))
    },
  }
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

/** A customer's user must not learn that another customer exists. */
function requireOwnCustomer(customerId: CustomerId | undefined, caller: Caller): void {
  if (customerId !== undefined && caller.customerId !== undefined && customerId !== caller.customerId) throw notFound()
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
  return pick(before, ['timeZone', 'timeZoneIsAssumed'])
}

function pick<From extends object, Name extends keyof From>(from: From, names: readonly Name[]): Pick<From, Name> {
  return Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : []))) as Pick<From, Name>
}

function differing(before: Device, wanted: { readonly [Name in keyof DeviceDetails]?: Device[Name] | undefined }) {
  const entries = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof DeviceDetails]),
  )
  return Object.fromEntries(entries) as Partial<DeviceDetails>
}
