import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import type { LevelReading, LightKind, Span } from '#domain/darkness/minutes/darkMinutes.ts'
import {
  firstKnownHour,
  type HourExtremes,
  hoursWithout,
  lightHours,
  preferMeasured,
} from '#domain/darkness/minutes/lightHours.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { type DarkPlace, readDarkPlace, readLevels } from '#server/darkness/dayCounts.ts'
import { lightWithin, plannedWithin } from '#server/darkness/pastLight.ts'
import type { Given } from '#server/features/feature.ts'
import type { Period } from '#server/http/reading/period.ts'
import { readHourExtremes, readingsKeptSince } from '#server/telemetry/read/hourExtremes.ts'
import type { Hours } from '#server/telemetry/read/hourlyMeans.ts'
import { readTimesOnBattery } from './timesOnBattery.ts'

/** `hours` marks a span from hourly data: the state held for all of each hour, or for an unknown part of it. */
export interface Told extends Span {
  readonly hours?: 'whole' | 'part'
}

export interface LightAndPower {
  readonly light: readonly (Told & { readonly kind: LightKind })[]
  readonly lightSinceMs: number
  readonly onBattery: readonly Told[]
  readonly powerSinceMs: number
}

interface Request {
  readonly period: Period
  /** The newest days are judged by readings, and earlier ones by hourly data. */
  readonly readDays: number
  readonly withPower: boolean
}

const fieldOfDisplay = (number: number, name: string) =>
  NUMBERED_FIELDS.find(({ wireName }) => wireName === `d${number === 1 ? '' : number}_${name}`)?.id as FieldId
const INPUT_VOLTAGE = NUMBERED_FIELDS.find(({ wireName }) => wireName === 'u_input_voltage')?.id as FieldId
const LIGHTS = NUMBERED_FIELDS.filter(({ type, field }) => type.topic === 'display' && isLight(field.name)).map(
  ({ id }) => id,
)

function isLight(name: string): boolean {
  return name === 'backlight_level' || name === 'panel_light'
}

/** Finds how the displays were and when the device was on battery, from recent readings and earlier hourly data. */
export async function lightAndPower(
  pool: Given['pool'],
  now: Date,
  deviceId: DeviceId,
  { period, readDays, withPower }: Request,
): Promise<LightAndPower> {
  const [fromMs, toMs] = [period.from.getTime(), Math.min(period.to.getTime(), now.getTime())]
  const hours = { begin: Math.floor(fromMs / HOUR_MS), end: Math.ceil(toMs / HOUR_MS) }
  const newestMs = Math.max(fromMs, period.to.getTime() - readDays * DAY_MS)
  const fields = [...LIGHTS, ...(withPower ? [INPUT_VOLTAGE] : [])]
  const [keptSinceMs, place, levels, battery, extremes] = await Promise.all([
    readingsKeptSince(pool),
    readDarkPlace(pool, deviceId),
    readLevels(pool, deviceId, { fromMs: newestMs, toMs }),
    withPower ? readTimesOnBattery(pool, deviceId, { from: new Date(newestMs), to: period.to }) : [],
    hours.end > hours.begin ? readHourExtremes(pool, deviceId, fields, hours) : new Map<FieldId, HourExtremes>(),
  ])
  // Hourly data serves whole hours, up to where the readings begin.
  const readFromMs = newestMs <= fromMs && keptSinceMs <= fromMs ? fromMs : hourFrom(Math.max(newestMs, keptSinceMs))
  const hourCount = Math.max(0, Math.ceil(Math.min(readFromMs, toMs) / HOUR_MS) - hours.begin)
  const told = { fromMs, readFromMs, hours, hourCount, toMs }
  const voltage = extremes.get(INPUT_VOLTAGE)
  return {
    ...(await lightOf(pool, place, levels, extremes, told)),
    onBattery: [
      ...(readFromMs > fromMs ? hoursWithout(hours.begin, hourCount, voltage).map(asHours) : []),
      ...battery.flatMap((span) => cutAt(span, readFromMs)),
    ],
    powerSinceMs: sinceOf(told, [voltage]),
  }
}

interface Reach {
  readonly fromMs: number
  /** Readings are used from here on, hourly data before. */
  readonly readFromMs: number
  readonly hours: Hours
  readonly hourCount: number
  readonly toMs: number
}

async function lightOf(
  pool: Given['pool'],
  place: DarkPlace | undefined,
  levels: ReadonlyMap<number, readonly LevelReading[]>,
  extremes: ReadonlyMap<FieldId, HourExtremes>,
  { fromMs, readFromMs, hours, hourCount, toMs }: Reach,
): Promise<Pick<LightAndPower, 'light' | 'lightSinceMs'>> {
  const numbers = place?.displayNumbers ?? []
  const displays = numbers.map((number) =>
    preferMeasured(
      extremes.get(fieldOfDisplay(number, 'panel_light')),
      extremes.get(fieldOfDisplay(number, 'backlight_level')),
    ),
  )
  const lightSinceMs = sinceOf({ fromMs, readFromMs, hours, hourCount, toMs }, displays)
  if (!place || numbers.length === 0 || fromMs >= toMs) return { light: [], lightSinceMs }
  const beginMs = Math.min(fromMs, hours.begin * HOUR_MS)
  const planned = await plannedWithin(pool, place, { fromMs: beginMs, toMs })
  const isByHours = readFromMs > fromMs
  return {
    light: [
      ...(isByHours ? lightHours(hours.begin, hourCount, planned, displays).map(asHours) : []),
      ...(readFromMs < toMs ? lightWithin(place, { fromMs: readFromMs, toMs }, { planned, levels }) : []),
    ],
    lightSinceMs,
  }
}

/** Finds where data begins: the first hour that is kept, or the readings when there is none. */
function sinceOf({ fromMs, readFromMs, hours, hourCount }: Reach, series: readonly (HourExtremes | undefined)[]) {
  if (readFromMs <= fromMs) return fromMs
  const first = firstKnownHour(hours.begin, series) ?? Number.POSITIVE_INFINITY
  return first < hours.begin + hourCount ? Math.max(fromMs, first * HOUR_MS) : readFromMs
}

const hourFrom = (ms: number) => Math.ceil(ms / HOUR_MS) * HOUR_MS

const asHours = <Hour extends Span & { readonly isPartly: boolean }>({ isPartly, ...span }: Hour) => ({
  ...span,
  hours: isPartly ? ('part' as const) : ('whole' as const),
})

const cutAt = (span: Span, fromMs: number): Span[] =>
  span.toMs > fromMs ? [{ ...span, fromMs: Math.max(span.fromMs, fromMs) }] : []
