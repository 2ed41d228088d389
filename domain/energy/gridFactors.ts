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

/** One publisher has these by one method, for countries whose authority has none above. */
const EMBER_GRAMS: ReadonlyMap<number, Readonly<Record<string, number>>> = new Map([
  [2022, { AL: 24, IS: 28, UA: 260 }],
  [
    2023,
    {
      AT: 111,
      AU: 549,
      BA: 600,
      BE: 138,
      BG: 335,
      BR: 98,
      CA: 170,
      CH: 35,
      CY: 534,
      CZ: 450,
      DK: 152,
      EE: 417,
      ES: 174,
      FI: 79,
      FR: 56,
      GR: 337,
      HR: 205,
      HU: 204,
      IE: 291,
      IN: 713,
      IT: 331,
      JP: 485,
      LT: 160,
      LU: 105,
      LV: 123,
      ME: 417,
      MK: 565,
      MT: 459,
      NL: 268,
      NZ: 113,
      PL: 662,
      PT: 166,
      RO: 241,
      RS: 636,
      SE: 41,
      SI: 231,
      SK: 117,
      TR: 465,
      US: 369,
    },
  ],
])

function publishedFactors(isoCode: string): readonly GridFactor[] {
  const national = NATIONAL_FACTORS.get(isoCode)
  if (national) return national
  return [...EMBER_GRAMS].flatMap(([year, grams]) => {
    const gramsPerKwh = grams[isoCode]
    return gramsPerKwh === undefined ? [] : [{ year, gramsPerKwh, source: EMBER }]
  })
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
