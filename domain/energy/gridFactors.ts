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

/**
 * Published yearly figures, as they were first published, by ISO country code. A country that is not here is unknown
 * until somebody sets it: no figure is guessed from a neighbour.
 */
const PUBLISHED_FACTORS: ReadonlyMap<string, readonly GridFactor[]> = new Map([
  ['DE', [uba(2023, 380), uba(2024, 363)]],
  ['GB', [desnz(2023, 207), desnz(2024, 207)]],
  ['NO', [nve(2019, 17), nve(2020, 8), nve(2022, 19), nve(2023, 15)]],
])

export const MOST_FACTORS = 60

/** Returns every figure that is known of a country, oldest first. One that was set here takes the place of a published one. */
export function factorsOf(isoCode: string | undefined, own: readonly GridFactor[]): readonly CountryFactor[] {
  const years = new Set(own.map(({ year }) => year))
  const published = (PUBLISHED_FACTORS.get(isoCode ?? '') ?? []).filter(({ year }) => !years.has(year))
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
