import type { Availability, Light, LightOfPeriod } from '#contract/http/darkMinutes.ts'
import {
  addMinutes,
  availabilityPercent,
  type LightMinutes,
  NO_MINUTES,
  sumOfMinutes,
} from '#domain/darkness/darkMinutes.ts'
import { lightDay, untilNow } from '#domain/darkness/lightDays.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, type LocalDate, wallClock } from '#domain/units/wallClock.ts'
import type { DeviceSum } from './darkMinutes.store.ts'

/** A running day is counted every few minutes; what came since is not unknown, only not counted yet. */
const COUNTED_LATELY_MS = 20 * MINUTE_MS

export function lightOnWire(minutes: LightMinutes): Light {
  return {
    unplannedDarkMinutes: minutes.unplanned,
    unknownMinutes: minutes.unknown,
    plannedDarkMinutes: minutes.planned,
    litInOffTimesMinutes: minutes.litInOffTime,
    maintenanceMinutes: minutes.maintenance,
    litMinutes: minutes.lit,
    availabilityPercent: availabilityPercent(minutes) ?? null,
  }
}

/**
 * A sum of days up to one, some of which may not tell light in off times apart.
 *
 * @param lastNotToldApart of these days, null: all of them do
 */
export function periodOnWire(minutes: LightMinutes, to: LocalDate, lastNotToldApart: LocalDate | null): LightOfPeriod {
  const light = lightOnWire(minutes)
  if (lastNotToldApart === null) return { ...light, notToldApartBefore: null }
  const litInOffTimesMinutes = lastNotToldApart < to ? light.litInOffTimesMinutes : null
  return { ...light, litInOffTimesMinutes, notToldApartBefore: addDays(lastNotToldApart, 1) }
}

const later = (first: LocalDate | null, second: LocalDate | null): LocalDate | null =>
  first === null || (second !== null && second > first) ? second : first

/** By our own clock table: the database may know other zones than we do. */
const zoneOf = (timeZone: string) => (isTimeZone(timeZone) ? timeZone : 'UTC')

/** From when on a device owes light: since it was added, or since its first reading where that is older. */
export function firstDateOf(createdAt: Date, firstDay: LocalDate | null, timeZone: string): LocalDate {
  const created = wallClock(createdAt, timeZone).date
  return firstDay !== null && firstDay < created ? firstDay : created
}

/** The asked days as moments, told once for each zone: a fleet has thousands of devices in a few of them. */
function boundsByZone(from: LocalDate, to: LocalDate, now: Date) {
  const known = new Map<string, { readonly fromMs: number; readonly toMs: number }>()
  return (timeZone: string) => {
    const found = known.get(timeZone)
    if (found) return found
    const { fromMs } = lightDay(from, timeZone)
    const bounds = untilNow({ fromMs, toMs: lightDay(to, timeZone).toMs }, now.getTime())
    known.set(timeZone, bounds)
    return bounds
  }
}

/** Minutes of a device from its first day on up to now; what no stored day knows is unknown. */
function minutesOf(
  sum: DeviceSum,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
  boundsOf: ReturnType<typeof boundsByZone>,
): LightMinutes {
  const timeZone = zoneOf(sum.timeZone)
  const there = firstDateOf(sum.createdAt, sum.firstDay, timeZone)
  const first = sum.ownedFrom !== null && sum.ownedFrom > there ? sum.ownedFrom : there
  const { ownedTo } = sum
  if (first > to) return NO_MINUTES
  const bounds = boundsOf(timeZone)
  const endMs = ownedTo === null ? bounds.toMs : Math.min(bounds.toMs, lightDay(ownedTo, timeZone).toMs)
  const fromMs = first > from ? lightDay(first, timeZone).fromMs : bounds.fromMs
  const toMs = Math.max(fromMs, endMs)
  const countedMs = sum.countedTo?.getTime() ?? 0
  const untilMs = toMs - countedMs > 0 && toMs - countedMs < COUNTED_LATELY_MS ? countedMs : toMs
  return withUnknown(sum, Math.round((untilMs - fromMs) / MINUTE_MS))
}

/** With what is left of so many minutes; they may have been counted while the device had another zone. */
export function withUnknown(known: Omit<LightMinutes, 'unknown'>, allMinutes: number): LightMinutes {
  const { unplanned, litInOffTime, planned, maintenance, lit } = known
  const minutes = { unplanned, litInOffTime, unknown: 0, planned, maintenance, lit }
  return { ...minutes, unknown: Math.max(0, allMinutes - sumOfMinutes(minutes)) }
}

/** All devices, each customer's, and the worst of them. */
export function fleetLight(
  sums: readonly DeviceSum[],
  { from, to, most }: { readonly from: LocalDate; readonly to: LocalDate; readonly most: number },
  now: Date,
): Availability {
  const boundsOf = boundsByZone(from, to, now)
  const devices = sums.map((sum) => ({ sum, minutes: minutesOf(sum, { from, to }, boundsOf) }))
  const byCustomer = new Map<number, typeof devices>()
  for (const device of devices) {
    const others = byCustomer.get(device.sum.customerId)
    if (others) others.push(device)
    else byCustomer.set(device.sum.customerId, [device])
  }
  const totalOf = (some: typeof devices) => ({
    devices: new Set(some.map(({ sum }) => sum.id)).size,
    ...periodOnWire(
      some.reduce((total, { minutes }) => addMinutes(total, minutes), NO_MINUTES),
      to,
      some.reduce<LocalDate | null>((last, { sum }) => later(last, sum.lastNotToldApart), null),
    ),
  })
  const worst = ofOneCustomer(devices)
    .filter(({ minutes }) => minutes.unplanned > 0 || minutes.unknown > 0)
    .sort((a, b) => worse(a.minutes, b.minutes) || a.sum.id - b.sum.id)
    .slice(0, most)
  return {
    total: totalOf(devices),
    customers: [...byCustomer]
      .map(([, some]) => ({
        customerId: some[0]?.sum.customerId as DeviceSum['customerId'],
        customerName: some[0]?.sum.customerName ?? '',
        ...totalOf(some),
      }))
      .sort((a, b) => a.customerName.localeCompare(b.customerName) || a.customerId - b.customerId),
    worst: worst.map(({ sum, minutes }) => ({
      deviceId: sum.id,
      deviceGuid: sum.guid,
      deviceName: sum.name,
      deviceHasLeft: sum.hasLeft,
      customerName: sum.customerName,
      ...periodOnWire(minutes, to, sum.lastNotToldApart),
    })),
  }
}

/** A device that came back had two times with the customer, and is one device of theirs. */
function ofOneCustomer<Device extends { readonly sum: DeviceSum; readonly minutes: LightMinutes }>(
  devices: readonly Device[],
): readonly Pick<Device, 'sum' | 'minutes'>[] {
  const times = Map.groupBy(devices, ({ sum }) => `${sum.id} ${sum.customerId}`)
  return [...times.values()].flatMap((some) => {
    const newest = some.find(({ sum }) => sum.ownedTo === null) ?? some.at(-1)
    return newest
      ? [{ ...newest, minutes: some.reduce((all, { minutes }) => addMinutes(all, minutes), NO_MINUTES) }]
      : []
  })
}

const worse = (a: LightMinutes, b: LightMinutes) => b.unplanned - a.unplanned || b.unknown - a.unknown
