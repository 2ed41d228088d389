/** How much a country's electricity emits, in a year: grams of CO₂ or its equivalents for a kWh. */
export interface GridFactor {
  readonly year: number
  readonly gramsPerKwh: number
  /** Who published it, and what it counts. */
  readonly source: string
}

export interface CountryFactor extends GridFactor {
  /** Whether it was set here, or came with the product. */
  readonly isOwn: boolean
}

const nve = (year: number, gramsPerKwh: number): GridFactor => ({
  ...{ year, gramsPerKwh },
  source: 'NVE, climate declaration of physically delivered electricity, CO₂e',
})
const desnz = (year: number, gramsPerKwh: number): GridFactor => ({
  ...{ year, gramsPerKwh },
  source: `DESNZ, greenhouse gas conversion factors ${year}, electricity generated, CO₂e`,
})
const uba = (year: number, gramsPerKwh: number): GridFactor => ({
  ...{ year, gramsPerKwh },
  source: 'Umweltbundesamt, emission factor of the German electricity mix as first estimated, CO₂',
})
const EMBER = 'Ember by Our World in Data (CC BY 4.0), electricity generated, CO₂e'

/** Yearly figures as authorities of the country first published them, by its ISO code. */
const NATIONAL_FACTORS: ReadonlyMap<string, readonly GridFactor[]> = new Map([
  ['DE', [uba(2023, 380), uba(2024, 363)]],
  ['GB', [desnz(2023, 207), desnz(2024, 207)]],
  ['NO', [nve(2019, 17), nve(2020, 8), nve(2022, 19), nve(2023, 15)]],
])

/** Of countries whose authority has no figure above, the newest one of a publisher with one method for all, and its year. */
const EMBER_GRAMS: Readonly<Record<string, readonly [year: number, gramsPerKwh: number]>> = {
  AL: [2022, 24],
  AT: [2023, 111],
  AU: [2023, 549],
  BA: [2023, 600],
  BE: [2023, 138],
  BG: [2023, 335],
  BR: [2023, 98],
  CA: [2023, 170],
  CH: [2023, 35],
  CY: [2023, 534],
  CZ: [2023, 450],
  DK: [2023, 152],
  EE: [2023, 417],
  ES: [2023, 174],
  FI: [2023, 79],
  FR: [2023, 56],
  GR: [2023, 337],
  HR: [2023, 205],
  HU: [2023, 204],
  IE: [2023, 291],
  IN: [2023, 713],
  IS: [2022, 28],
  IT: [2023, 331],
  JP: [2023, 485],
  LT: [2023, 160],
  LU: [2023, 105],
  LV: [2023, 123],
  ME: [2023, 417],
  MK: [2023, 565],
  MT: [2023, 459],
  NL: [2023, 268],
  NZ: [2023, 113],
  PL: [2023, 662],
  PT: [2023, 166],
  RO: [2023, 241],
  RS: [2023, 636],
  SE: [2023, 41],
  SI: [2023, 231],
  SK: [2023, 117],
  TR: [2023, 465],
  UA: [2022, 260],
  US: [2023, 369],
}

function publishedFactors(isoCode: string): readonly GridFactor[] {
  const [year, gramsPerKwh] = EMBER_GRAMS[isoCode] ?? []
  if (year === undefined || gramsPerKwh === undefined) return NATIONAL_FACTORS.get(isoCode) ?? []
  return [{ year, gramsPerKwh, source: EMBER }]
}

export const MOST_FACTORS = 60

/**
 * Returns every figure that is known of a country, oldest first. One that was set here takes the place of a published
 * one. No figure is guessed from a neighbour: a country without one is unknown until somebody sets it.
 */
export function factorsOf(isoCode: string | undefined, own: readonly GridFactor[]): readonly CountryFactor[] {
  const years = new Set(own.map(({ year }) => year))
  const published = publishedFactors(isoCode ?? '').filter(({ year }) => !years.has(year))
  const all = [...own.map((one) => ({ ...one, isOwn: true })), ...published.map((one) => ({ ...one, isOwn: false }))]
  return all.sort((a, b) => a.year - b.year)
}

/** Returns the figure for a year: its own, or the newest before. Earlier years are unknown. */
export const factorOf = <Factor extends GridFactor>(factors: readonly Factor[], year: number): Factor | undefined =>
  factors.findLast((one) => one.year <= year)

/** Returns whole grams, cut. */
export const gramsOf = (wattHours: number, { gramsPerKwh }: GridFactor): number =>
  Math.floor((wattHours * gramsPerKwh) / 1000)

export function factorProblem(factors: readonly GridFactor[]): string | undefined {
  const years = new Set(factors.map(({ year }) => year))
  return years.size < factors.length ? 'Two figures are of the same year.' : undefined
}
