import type { Availability, Light, LightOfPeriod } from '#contract/http/insight/darkMinutes.ts'
import {
  addMinutes,
  availabilityPercent,
  type LightMinutes,
  NO_MINUTES,
  sumOfMinutes,
} from '#domain/darkness/minutes/darkMinutes.ts'
import { beginOf, firstDateOf, lightDay, untilNow } from '#domain/darkness/minutes/lightDays.ts'
import { nameOrder } from '#domain/units/nameOrder.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, type LocalDate } from '#domain/units/wallClock.ts'
import type { DeviceSum } from './darkMinutes.store.ts'
import type { CustomerSum, SpanSum } from './fleetDarkness.store.ts'

/** A running day is counted every few minutes. What came since is not unknown, but not counted yet. */
const COUNTED_LATELY_MS = 20 * MINUTE_MS

const byName = nameOrder('en')

/** Bounds the moment up to which a device that was counted lately was counted. */
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
 * Formats the sum of a period, some of whose days may not separate light in off times.
 * @param lastNotToldApart is the last such day; null when all days separate it
 */
export function periodOnWire(minutes: LightMinutes, to: LocalDate, lastNotToldApart: LocalDate | null): LightOfPeriod {
  const light = lightOnWire(minutes)
  if (lastNotToldApart === null) return { ...light, notToldApartBefore: null }
  const litInOffTimesMinutes = lastNotToldApart < to ? light.litInOffTimesMinutes : null
  return { ...light, litInOffTimesMinutes, notToldApartBefore: addDays(lastNotToldApart, 1) }
}

const later = (first: LocalDate | null, second: LocalDate | null): LocalDate | null =>
  first === null || (second !== null && second > first) ? second : first

/** The zone is checked by Node.js, because the database may know other zones. */
const zoneOf = (timeZone: string) => (isTimeZone(timeZone) ? timeZone : 'UTC')

interface RequestedPeriod {
  readonly from: LocalDate
  readonly to: LocalDate
}

interface Bounds {
  readonly fromMs: number
  readonly toMs: number
  /** The period ends now, before its last day is over. */
  readonly isRunning: boolean
}

/** Converts the days to moments, once for each zone: a fleet has thousands of devices in a few zones. */
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
  /** The day from which the device owes light, when that is after the first requested one. */
  readonly first: LocalDate
  readonly from: LocalDate
  readonly ownedTo: LocalDate | null
  readonly timeZone: string
  /** The moment within the first day; undefined when the whole day counts. */
  readonly beginMs?: number
}

/** @returns the time, and whether it ends now instead of earlier */
function timeOf({ first, from, ownedTo, timeZone, beginMs = 0 }: OwedDays, boundsOf: ReturnType<typeof boundsByZone>) {
  const bounds = boundsOf(timeZone)
  const endMs = ownedTo === null ? bounds.toMs : Math.min(bounds.toMs, lightDay(ownedTo, timeZone).toMs)
  const fromMs = Math.max(first > from ? lightDay(first, timeZone).fromMs : bounds.fromMs, beginMs)
  const toMs = Math.max(fromMs, endMs)
  return { fromMs, toMs, isRunning: bounds.isRunning && toMs === bounds.toMs }
}

/** Sums the minutes of a device from its first day until now. Minutes that no stored day contains are unknown. */
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

/** Adds the unknown rest of so many minutes. The known ones may exceed them, when the device was in another zone. */
export function withUnknown(known: Omit<LightMinutes, 'unknown'>, allMinutes: number): LightMinutes {
  const { unplanned, litInOffTime, planned, maintenance, lit } = known
  const minutes = { unplanned, litInOffTime, unknown: 0, planned, maintenance, lit }
  return { ...minutes, unknown: Math.max(0, allMinutes - sumOfMinutes(minutes)) }
}

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
      .sort((a, b) => byName(a.customerName, b.customerName) || a.customerId - b.customerId),
    worst: worstOf(sums, { from, to, most }, now),
  }
}

/** Orders these devices by their missing light, the worst first. */
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

/** Sums all devices and each customer's from maintained spans and sums. */
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
      .sort((a, b) => byName(a.customerName, b.customerName) || a.customerId - b.customerId),
  }
}

function devicesIn(spans: readonly SpanSum[]): number {
  const several = new Set(spans.flatMap(({ deviceId }) => deviceId ?? []))
  return spans.reduce((sum, { deviceId, count }) => sum + (deviceId === null ? count : 0), several.size)
}

/** Computes the minutes that these devices should have reported, by the rules of `minutesOf`. */
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

/** A device that left and came back had two spans with the customer, and counts as one device. */
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
