import { moneyText } from '#domain/statement/statementTerms.ts'
import { type EnergyFigures, SAVED_BY, type SavedBy } from './energyFigures.ts'
import type { EnergySum } from './energyPeriod.ts'
import type { Money } from './tariffs.ts'

/** What saves energy, as people read it. */
export const SAVED_NAMES: Readonly<Record<SavedBy, string>> = {
  offTimes: 'Off times',
  dayPlan: 'Day plan',
  ambient: 'Ambient rule',
  byHand: 'Level set by hand',
}

const grouped = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Writes `1,234.5 kWh`. */
export const kwhText = (wattHours: number): string => `${grouped.format(wattHours / 1000)} kWh`

/** Writes `12.3 kg`, or `1,234.5 t` above a tonne; a dash where the country's figure is unknown. */
export function gramsText(grams: number | null): string {
  if (grams === null) return '–'
  return grams < 1_000_000 ? `${grouped.format(grams / 1000)} kg` : `${grouped.format(grams / 1_000_000)} t`
}

export const hoursText = (seconds: number): string => `${Math.round(seconds / 3600).toLocaleString('en')} h`

/** Writes amounts of several currencies; a dash where no price is known. */
export const costText = (money: readonly Money[]): string =>
  money.length === 0 ? '–' : money.map(({ minor, currency }) => moneyText(minor, currency)).join(' + ')

const savedText = (saved: EnergyFigures['saved']) =>
  SAVED_BY.filter((rule) => saved[rule] > 0)
    .map((rule) => `${SAVED_NAMES[rule].toLowerCase()} ${kwhText(saved[rule])}`)
    .join(', ')

/** Says energy in a few lines, for a light statement. */
export function energyLines({ figures, cost, savedCost, grams, savedGrams }: Omit<EnergySum, 'unpriced'>) {
  const { used, measured, estimated, saved, savedTotal, unknownSeconds } = figures
  const by = savedText(saved)
  return [
    { name: 'Used', value: `${kwhText(used)} (measured ${kwhText(measured)}, estimated ${kwhText(estimated)})` },
    { name: 'Saved against always full, estimated', value: `${kwhText(savedTotal)}${by && ` (${by})`}` },
    { name: 'Cost', value: `${costText(cost)}, saved ${costText(savedCost)}` },
    { name: 'CO₂', value: grams === null ? 'unknown' : `${gramsText(grams)}, saved ${gramsText(savedGrams)}` },
    { name: 'Nothing known for', value: hoursText(unknownSeconds) },
  ]
}

/** The rules by which energy was counted, in words. */
export const ENERGY_RULES: readonly string[] = [
  'Measured is what meters of the devices counted: differences of their counters, or measured power where there is no counter. A counter that begins again counts from zero; a leap that no device can draw is left out.',
  'Estimated is what panels draw by their model, at the level that was reported, in time that no meter counted. It leaves out computers, fans and heaters.',
  'Saved is what the same panels would have drawn more at full level in the same time. It is always estimated, because nobody can measure what was not drawn.',
  'A display that was dark though light was owed saved nothing: that is called not drawn.',
  'In time of which nothing is known no energy is counted, unless a meter went on counting.',
  'Money is the price of the day, cut to whole units of the currency. Without a price it is unknown.',
  'CO₂ is the figure of the customer’s country for that year, or the newest before. Without one it is unknown.',
]
