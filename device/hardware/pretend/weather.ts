import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { clamp, trait, wander } from './noise.ts'

const YEAR_DAYS = 365.2425
const DEGREE = Math.PI / 180
/** Direct sun from straight above gives this at the ground. */
const BRIGHTEST_LUX = 110_000

export interface Place {
  readonly seed: number
  readonly latitude: number
  readonly longitude: number
}

function dayOfYear(atMs: number): number {
  return (atMs / DAY_MS) % YEAR_DAYS
}

/** Returns 0 up to 24, by the sun at this longitude rather than by the legal time zone. */
export function solarHour(longitude: number, atMs: number): number {
  const dayAngle = (2 * Math.PI * (dayOfYear(atMs) - 81)) / YEAR_DAYS
  const equationOfTimeHours =
    (9.87 * Math.sin(2 * dayAngle) - 7.53 * Math.cos(dayAngle) - 1.5 * Math.sin(dayAngle)) / 60
  const hour = ((atMs % DAY_MS) / HOUR_MS + longitude / 15 + equationOfTimeHours) % 24
  return hour < 0 ? hour + 24 : hour
}

/** Returns the height of the sun above the horizon, accurate to about a degree; negative at night. */
export function solarElevationDegrees(latitude: number, longitude: number, atMs: number): number {
  const declination = -23.44 * DEGREE * Math.cos((2 * Math.PI * (dayOfYear(atMs) + 10)) / YEAR_DAYS)
  const hourAngle = (solarHour(longitude, atMs) - 12) * 15 * DEGREE
  const sine =
    Math.sin(latitude * DEGREE) * Math.sin(declination) +
    Math.cos(latitude * DEGREE) * Math.cos(declination) * Math.cos(hourAngle)
  return Math.asin(clamp(sine, -1, 1)) / DEGREE
}

/** Returns 0 for a clear sky up to 1 for an overcast one. */
function cloudiness({ seed }: Place, atMs: number): number {
  return clamp(
    0.5 + 0.75 * wander(seed, 'cloud', atMs, 7 * HOUR_MS) + 0.12 * wander(seed, 'cloudlet', atMs, 600_000),
    0,
    1,
  )
}

/** Returns 0 up to 1: how much sun falls on the cabinet. */
export function sunshine(place: Place, atMs: number): number {
  const elevation = solarElevationDegrees(place.latitude, place.longitude, atMs)
  if (elevation <= 0) return 0
  return Math.sin(elevation * DEGREE) * (1 - 0.8 * cloudiness(place, atMs)) * trait(place.seed, 'exposure', 0.35, 1)
}

/** Returns what the ambient sensor sees: sun through the clouds, dusk, and at night the street lamps. */
export function ambientLightLux(place: Place, atMs: number): number {
  const elevation = solarElevationDegrees(place.latitude, place.longitude, atMs)
  const lampsLux = trait(place.seed, 'lamps', 6, 45) * (1 + 0.05 * wander(place.seed, 'lamp', atMs, 120_000))
  const duskLux = 400 * Math.exp(Math.min(0, elevation) * 0.9)
  const sunLux = BRIGHTEST_LUX * sunshine(place, atMs)
  return clamp(sunLux + duskLux + (elevation < 3 ? lampsLux : 0), 0, 100_000)
}

/** Follows seasons by latitude, spells of weather over days, and a warmest hour at three in the afternoon. */
export function outsideTemperatureCelsius(place: Place, atMs: number): number {
  const { seed, latitude, longitude } = place
  const distance = Math.abs(latitude)
  const seasonAngle = (2 * Math.PI * (dayOfYear(atMs) - 200)) / YEAR_DAYS
  const season = 0.25 * latitude * Math.cos(seasonAngle)
  const spell = 4.5 * wander(seed, 'spell', atMs, 3 * DAY_MS) + 1.2 * wander(seed, 'breeze', atMs, HOUR_MS)
  const swing = 2.5 + 3.5 * (1 - cloudiness(place, atMs))
  const daily = swing * Math.cos((2 * Math.PI * (solarHour(longitude, atMs) - 15)) / 24)
  return 27 - 0.34 * distance + season + spell + daily
}
