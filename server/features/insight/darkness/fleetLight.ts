import type { Availability, Light, LightOfPeriod } from '#contract/http/insight/darkMinutes.ts'
import {
  addMinutes,
  availabilityPercent,
  type LightMinutes,
  NO_MINUTES,
  sumOfMinutes,
} from '#domain/darkness/minutes/darkMinutes.ts'
import { beginOf, firstDateOf, lightDay, untilNow } from '#domain/darkness/minutes/lightDays.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, type LocalDate } from '#domain/units/wallClock.ts'
import type { DeviceSum } from './darkMinutes.store.ts'
import type { CustomerSum, SpanSum } from './fleetDarkness.store.ts'

/** A running day is counted every few minutes; what came since is not unknown, only not counted yet. */
const COUNTED_LATELY_MS = 20 * MINUTE_MS

/** Devices that were counted up to a moment between these were counted lately. */
export function countedLately(now: Date): readonly [after: Date, before: Date] {
  const { toMs } = untilNow({ fromMs: 0, toMs: Number.POSITIVE_INFINITY }, now.getTime())
  return [new Date(toMs - COUNTED_LATELY_MS), new Date(toMs)]
}

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

interface RequestedPeriod {
  readonly from: LocalDate
  readonly to: LocalDate
}

interface Bounds {
  readonly fromMs: number
  readonly toMs: number
  /** Whether it ends now, before its last day is over. */
  readonly isRunning: boolean
}

/** The asked days as moments, told once for each zone: a fleet has thousands of devices in a few of them. */
function boundsByZone(from: LocalDate, to: LocalDate, now: Date) {
  const known = new Map<string, Bounds>()
  return (timeZone: string) => {
    const found = known.get(timeZone)
    if (found) return found
    const { fromMs } = lightDay(from, timeZone)
    const whole = { fromMs, toMs: lightDay(to, timeZone).toMs }
    const { toMs } = untilNow(whole, now.getTime())
    const bounds = { fromMs, toMs, isRunning: toMs < whole.toMs }
    known.set(timeZone, bounds)
    return bounds
  }
}

interface OwedDays {
  /** From which on the device owes light, if that is after the first asked one. */
  readonly first: LocalDate
  readonly from: LocalDate
  readonly ownedTo: LocalDate | null
  readonly timeZone: string
  /** Within its first day; absent: with that day. */
  readonly beginMs?: number
}

/** @returns with whether it ends now, and not before */
function timeOf({ first, from, ownedTo, timeZone, beginMs = 0 }: OwedDays, boundsOf: ReturnType<typeof boundsByZone>) {
  const bounds = boundsOf(timeZone)
  const endMs = ownedTo === null ? bounds.toMs : Math.min(bounds.toMs, lightDay(ownedTo, timeZone).toMs)
  const fromMs = Math.max(first > from ? lightDay(first, timeZone).fromMs : bounds.fromMs, beginMs)
  const toMs = Math.max(fromMs, endMs)
  return { fromMs, toMs, isRunning: bounds.isRunning && toMs === bounds.toMs }
}

/** Minutes of a device from its first day on up to now; what no stored day knows is unknown. */
function minutesOf(
  sum: DeviceSum,
  { from, to }: RequestedPeriod,
  boundsOf: ReturnType<typeof boundsByZone>,
): LightMinutes {
  const timeZone = zoneOf(sum.timeZone)
  const there = firstDateOf(sum.createdAt, sum.firstDay, timeZone)
  const first = sum.ownedFrom !== null && sum.ownedFrom > there ? sum.ownedFrom : there
  if (first > to) return NO_MINUTES
  const beginMs = beginOf(sum.createdAt, sum.firstDay, timeZone)
  const { fromMs, toMs, isRunning } = timeOf({ first, from, ownedTo: sum.ownedTo, timeZone, beginMs }, boundsOf)
  const countedMs = sum.countedTo?.getTime() ?? 0
  const isLate = isRunning && countedMs < toMs && countedMs > toMs - COUNTED_LATELY_MS
  const untilMs = isLate ? countedMs : toMs
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
  { from, to, most }: RequestedPeriod & { readonly most: number },
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
  return {
    total: totalOf(devices),
    customers: [...byCustomer]
      .map(([, some]) => ({
        customerId: some[0]?.sum.customerId as DeviceSum['customerId'],
        customerName: some[0]?.sum.customerName ?? '',
        ...totalOf(some),
      }))
      .sort((a, b) => a.customerName.localeCompare(b.customerName) || a.customerId - b.customerId),
    worst: worstOf(sums, { from, to, most }, now),
  }
}

/** Of these devices those that lacked most, the worst first. */
export function worstOf(
  sums: readonly DeviceSum[],
  { from, to, most }: RequestedPeriod & { readonly most: number },
  now: Date,
): Availability['worst'] {
  const boundsOf = boundsByZone(from, to, now)
  return ofOneCustomer(sums.map((sum) => ({ sum, minutes: minutesOf(sum, { from, to }, boundsOf) })))
    .filter(({ minutes }) => minutes.unplanned > 0 || minutes.unknown > 0)
    .sort((a, b) => worse(a.minutes, b.minutes) || a.sum.id - b.sum.id)
    .slice(0, most)
    .map(({ sum, minutes }) => ({
      deviceId: sum.id,
      deviceGuid: sum.guid,
      deviceName: sum.name,
      deviceHasLeft: sum.hasLeft,
      customerName: sum.customerName,
      ...periodOnWire(minutes, to, sum.lastNotToldApart),
    }))
}

/** All devices and each customer's, from times that are alike and from the sums of customers. */
export function keptFleetLight(
  spans: readonly SpanSum[],
  known: readonly CustomerSum[],
  { from, to }: RequestedPeriod,
  now: Date,
): Pick<Availability, 'total' | 'customers'> {
  const boundsOf = boundsByZone(from, to, now)
  const knownOf = new Map(known.map((sum) => [sum.customerId, sum]))
  const byCustomer = Map.groupBy(spans, ({ customerId }) => customerId)
  const each = [...byCustomer].map(([customerId, some]) => {
    const expected = some.reduce((sum, span) => sum + expectedMinutes(span, { from, to }, boundsOf), 0)
    const sum = knownOf.get(customerId)
    return {
      customerId,
      customerName: some[0]?.customerName ?? '',
      devices: devicesIn(some),
      minutes: withUnknown(sum ?? NO_MINUTES, expected),
      lastNotToldApart: sum?.lastNotToldApart ?? null,
    }
  })
  const lastNotToldApart = each.reduce<LocalDate | null>((last, one) => later(last, one.lastNotToldApart), null)
  const minutes = each.reduce((sum, one) => addMinutes(sum, one.minutes), NO_MINUTES)
  return {
    total: { devices: devicesIn(spans), ...periodOnWire(minutes, to, lastNotToldApart) },
    customers: each
      .map(({ customerId, customerName, devices, ...one }) => ({
        customerId,
        customerName,
        devices,
        ...periodOnWire(one.minutes, to, one.lastNotToldApart),
      }))
      .sort((a, b) => a.customerName.localeCompare(b.customerName) || a.customerId - b.customerId),
  }
}

function devicesIn(spans: readonly SpanSum[]): number {
  const several = new Set(spans.flatMap(({ deviceId }) => deviceId ?? []))
  return spans.reduce((sum, { deviceId, count }) => sum + (deviceId === null ? count : 0), several.size)
}

/** Whole minutes that these devices should have told of, by the rules of `minutesOf`. */
function expectedMinutes(
  { first, ownedTo, timeZone, count, lately, latelyMinutes, begun, begunMinutes }: SpanSum,
  { from, to }: RequestedPeriod,
  boundsOf: ReturnType<typeof boundsByZone>,
): number {
  if (first > to) return 0
  const { fromMs, toMs, isRunning } = timeOf({ first, from, ownedTo, timeZone: zoneOf(timeZone) }, boundsOf)
  const each = (toMs - fromMs) / MINUTE_MS
  const beforeBegin = begunMinutes - (begun * fromMs) / MINUTE_MS
  const whole = isRunning ? (count - lately) * each + latelyMinutes - (lately * fromMs) / MINUTE_MS : count * each
  return whole - beforeBegin
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
