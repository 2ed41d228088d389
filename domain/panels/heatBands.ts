/** Bands of the backlight level in percent, each up to and including its bound. */
export const LEVEL_BANDS = [25, 50, 75, 100] as const
/** Bands of the temperature within the display, each below its bound; the last two are hotter, and not reported. */
const TEMPERATURE_BOUNDS = [20, 30, 40, 50, 60] as const
const HOTTEST = TEMPERATURE_BOUNDS.length
const NOT_REPORTED = HOTTEST + 1
export const TEMPERATURE_BANDS = NOT_REPORTED + 1
/** Minutes of light are kept for each level band, and within it for each temperature band. */
export const HEAT_CELLS = LEVEL_BANDS.length * TEMPERATURE_BANDS

export function heatCell(percent: number, celsius: number | undefined): number {
  const level = LEVEL_BANDS.findIndex((bound) => percent <= bound)
  return (level < 0 ? LEVEL_BANDS.length - 1 : level) * TEMPERATURE_BANDS + temperatureBand(celsius)
}

function temperatureBand(celsius: number | undefined): number {
  if (celsius === undefined) return NOT_REPORTED
  const band = TEMPERATURE_BOUNDS.findIndex((bound) => celsius < bound)
  return band < 0 ? HOTTEST : band
}

export const levelBandName = (band: number): string => `${(LEVEL_BANDS[band - 1] ?? 0) + 1}–${LEVEL_BANDS[band]} %`

export function temperatureBandName(band: number): string {
  if (band === NOT_REPORTED) return 'Not reported'
  if (band === 0) return `Below ${TEMPERATURE_BOUNDS[0]} °C`
  const from = TEMPERATURE_BOUNDS[band - 1]
  return band === HOTTEST ? `${from} °C and hotter` : `${from}–${TEMPERATURE_BOUNDS[band]} °C`
}

/** Adds up minutes by level band, over all temperatures. */
export const minutesByLevel = (heat: readonly number[]): readonly number[] =>
  LEVEL_BANDS.map((_, level) => sum(heat.slice(level * TEMPERATURE_BANDS, (level + 1) * TEMPERATURE_BANDS)))

/** Adds up minutes by temperature band, over all levels. */
export const minutesByTemperature = (heat: readonly number[]): readonly number[] =>
  Array.from({ length: TEMPERATURE_BANDS }, (_, band) =>
    sum(LEVEL_BANDS.map((_, level) => heat[level * TEMPERATURE_BANDS + band] ?? 0)),
  )

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** The level and temperature that stand for a cell: the middles of its bands, undefined where nothing was reported. */
export function middleOf(cell: number): { readonly percent: number; readonly celsius: number | undefined } {
  const [level, band] = [Math.floor(cell / TEMPERATURE_BANDS), cell % TEMPERATURE_BANDS]
  const percent = ((LEVEL_BANDS[level - 1] ?? 0) + (LEVEL_BANDS[level] ?? 100)) / 2
  if (band === NOT_REPORTED) return { percent, celsius: undefined }
  return { percent, celsius: (TEMPERATURE_BOUNDS[band] ?? 70) - 5 }
}
