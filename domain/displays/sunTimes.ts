import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { type LocalDate, momentOf } from '#domain/units/wallClock.ts'

/** Degrees, north and east positive. */
export interface Position {
  readonly latitude: number
  readonly longitude: number
}

export interface SunDay {
  /** Undefined if the sun stays below the horizon all day. */
  readonly sunrise: Date | undefined
  /** Undefined if the sun stays above the horizon all day. */
  readonly sunset: Date | undefined
  readonly sun: 'risesAndSets' | 'staysUp' | 'staysDown'
}

/** The upper rim of the sun is on the horizon: half its diameter and the refraction of the air lower its centre. */
const ZENITH_DEGREES = 90.833
const MINUTES_PER_DEGREE = 4
const NOON_MINUTES = 720

const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI

/**
 * Returns the declination in radians, and the minutes that a sundial is ahead of a clock: the series of "General Solar
 * Position Calculations", NOAA Global Monitoring Division, accurate to a minute or two at inhabited latitudes.
 */
function sunAt(atMs: number) {
  const year = new Date(atMs).getUTCFullYear()
  const [beginsMs, endsMs] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)]
  const days = (endsMs - beginsMs) / DAY_MS
  const angle = ((2 * Math.PI) / days) * ((atMs - beginsMs) / DAY_MS - 0.5)
  const wave = (times: number) => ({ cos: Math.cos(times * angle), sin: Math.sin(times * angle) })
  const [one, two, three] = [wave(1), wave(2), wave(3)]
  return {
    equationMinutes:
      229.18 * (0.000075 + 0.001868 * one.cos - 0.032077 * one.sin - 0.014615 * two.cos - 0.040849 * two.sin),
    declination:
      0.006918 -
      0.399912 * one.cos +
      0.070257 * one.sin -
      0.006758 * two.cos +
      0.000907 * two.sin -
      0.002697 * three.cos +
      0.00148 * three.sin,
  }
}

/** Returns when the sun is highest on this date; if clocks are far from the sun, the noon nearest to theirs. */
function solarNoonMs(date: LocalDate, { longitude }: Position, timeZone: string): number {
  const clockNoonMs = momentOf(date, '12:00', timeZone).getTime()
  const { equationMinutes } = sunAt(clockNoonMs)
  const noonMs =
    Date.parse(`${date}T00:00Z`) + (NOON_MINUTES - MINUTES_PER_DEGREE * longitude - equationMinutes) * MINUTE_MS
  return noonMs + Math.round((clockNoonMs - noonMs) / DAY_MS) * DAY_MS
}

/**
 * Returns sunrise and sunset of a local date. If the sun stays up all day there is no sunset, and sunrise is when it is
 * lowest; if it stays down there is no sunrise, and sunset is when it is highest, which continues the days before.
 */
export function sunDay(date: LocalDate, position: Position, timeZone: string): SunDay {
  const noonMs = solarNoonMs(date, position, timeZone)
  const { declination } = sunAt(noonMs)
  const latitude = radians(position.latitude)
  const cosine =
    Math.cos(radians(ZENITH_DEGREES)) / (Math.cos(latitude) * Math.cos(declination)) -
    Math.tan(latitude) * Math.tan(declination)
  if (cosine >= 1) return { sunrise: undefined, sunset: new Date(noonMs), sun: 'staysDown' }
  if (cosine <= -1) return { sunrise: new Date(noonMs - 12 * HOUR_MS), sunset: undefined, sun: 'staysUp' }
  const halfDayMs = degrees(Math.acos(cosine)) * MINUTES_PER_DEGREE * MINUTE_MS
  return { sunrise: new Date(noonMs - halfDayMs), sunset: new Date(noonMs + halfDayMs), sun: 'risesAndSets' }
}
