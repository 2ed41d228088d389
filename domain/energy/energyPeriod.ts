import { firstOf, lastOf } from '#domain/statement/months.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import { LIGHT_RULES, type LightRule, type LightSeconds } from './displayDay.ts'
import {
  addEnergy,
  type CountedLight,
  type EnergyFigures,
  energyOfDisplays,
  energyOfMeter,
  NO_ENERGY,
} from './energyFigures.ts'
import { type GridFactor, gramsOf } from './gridFactors.ts'
import type { PanelPower } from './panelPower.ts'
import { costMinor, type Money, sumMoney, type Tariff } from './tariffs.ts'

/** What a device did in a part of a period, for which one price holds. */
interface EnergyCell {
  /** The place of the device in the list. */
  readonly at: number
  /** The month or the day. */
  readonly part: string
  /** How many prices had begun. */
  readonly price: number
}

/** The displays of one model, added up. */
export interface LightCell extends EnergyCell {
  readonly modelId: number
  /** Three numbers for each rule, as they are stored. */
  readonly light: readonly number[]
  readonly unmetered: readonly number[]
  readonly unknownSeconds: number
  /** The days that were counted. */
  readonly days: number
}

/** The days on which a device counts in the period, both included; none if they are the wrong way round. */
export interface EnergyDevice {
  readonly from: LocalDate
  readonly to: LocalDate
}

export interface MeterCell extends EnergyCell {
  readonly wattHours: number
}

export interface EnergyBasis {
  readonly powers: ReadonlyMap<number, PanelPower>
  /** They are ordered by their days. */
  readonly tariffs: readonly Tariff[]
  readonly factor: GridFactor | undefined
}

/** Energy, what it cost, and what its generation emitted. */
export interface EnergySum {
  readonly figures: EnergyFigures
  readonly cost: readonly Money[]
  readonly savedCost: readonly Money[]
  /** Watt-hours used before the first price, whose cost is unknown. */
  readonly unpriced: number
  /** Null where the figure of the country is unknown. */
  readonly grams: number | null
  readonly savedGrams: number | null
}

export interface EnergyPeriod {
  readonly total: EnergySum
  readonly parts: readonly (EnergySum & { readonly part: string })[]
  /** They are ordered as the devices that were given. */
  readonly devices: readonly EnergySum[]
}

/** A price applies to the whole of its cell, so sums of money are sums of devices, parts and prices. */
interface Priced extends EnergyCell {
  readonly figures: EnergyFigures
}

export interface CountedCells {
  readonly lights: readonly LightCell[]
  readonly meters: readonly MeterCell[]
}

/** Folds counted days into energy of each part and each device. Sums of money are the sums of their lines. */
export function energyPeriod(
  cells: CountedCells,
  devices: readonly EnergyDevice[],
  parts: readonly string[],
  basis: EnergyBasis,
): EnergyPeriod {
  const priced = [...pricedCells(cells, basis), ...uncounted(cells.lights, devices, parts)]
  const byPart = Map.groupBy(priced, ({ part }) => part)
  const byDevice = Map.groupBy(priced, ({ at }) => at)
  return {
    total: summed(priced, basis),
    parts: parts.map((part) => ({ part, ...summed(byPart.get(part) ?? [], basis) })),
    devices: devices.map((_, at) => summed(byDevice.get(at) ?? [], basis)),
  }
}

/** Of days that were never counted nothing is known; each counts once for its device. */
function uncounted(lights: readonly LightCell[], devices: readonly EnergyDevice[], parts: readonly string[]): Priced[] {
  const counted = new Map<string, number>()
  for (const [key, days] of daysByCell(lights)) {
    const whole = key.slice(0, key.lastIndexOf(' '))
    counted.set(whole, (counted.get(whole) ?? 0) + days)
  }
  return devices.flatMap((device, at) =>
    parts.flatMap((part): readonly Priced[] => {
      const missing = daysWithin(device, part) - (counted.get(`${at} ${part}`) ?? 0)
      const figures = { ...NO_ENERGY, unknownSeconds: missing * DAY_SECONDS }
      return missing > 0 ? [{ at, part, price: 0, figures }] : []
    }),
  )
}

/** Displays of several models have the same days. */
function daysByCell(lights: readonly LightCell[]): ReadonlyMap<string, number> {
  const days = new Map<string, number>()
  for (const cell of lights) {
    const key = `${cell.at} ${cell.part} ${cell.price}`
    days.set(key, Math.max(days.get(key) ?? 0, cell.days))
  }
  return days
}

const DAY_SECONDS = 86_400

function daysWithin({ from, to }: EnergyDevice, part: string): number {
  const [begin, end] = part.length === 7 ? [firstOf(part), lastOf(part)] : [part, part]
  const [first, last] = [from > begin ? from : begin, to < end ? to : end]
  return first > last ? 0 : (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
}

function pricedCells({ lights, meters }: CountedCells, { powers }: EnergyBasis): readonly Priced[] {
  const found = new Map<string, Priced>()
  const add = ({ at, part, price }: EnergyCell, figures: EnergyFigures) => {
    const key = `${at} ${part} ${price}`
    found.set(key, { at, part, price, figures: addEnergy(found.get(key)?.figures ?? NO_ENERGY, figures) })
  }
  for (const cell of lights) add(cell, energyOfDisplays(lightOf(cell), powers.get(cell.modelId)))
  for (const cell of meters) add(cell, energyOfMeter(cell.wattHours))
  return [...found.values()]
}

const secondsAt = (numbers: readonly number[], index: number): LightSeconds => ({
  known: numbers[3 * index] ?? 0,
  lit: numbers[3 * index + 1] ?? 0,
  level: numbers[3 * index + 2] ?? 0,
})

const lightOf = ({ light, unmetered, unknownSeconds }: LightCell): CountedLight => ({
  byRule: Object.fromEntries(LIGHT_RULES.map((rule, index) => [rule, secondsAt(light, index)])) as Record<
    LightRule,
    LightSeconds
  >,
  unmetered: secondsAt(unmetered, 0),
  unknownSeconds,
})

function summed(cells: readonly Priced[], { tariffs, factor }: EnergyBasis): EnergySum {
  const figures = cells.reduce((sum, cell) => addEnergy(sum, cell.figures), NO_ENERGY)
  const costOf = (wattHours: (figures: EnergyFigures) => number) =>
    sumMoney(
      cells.flatMap(({ price, figures: its }) => {
        const tariff = tariffs[price - 1]
        return tariff ? [{ currency: tariff.currency, minor: costMinor(wattHours(its), tariff) }] : []
      }),
    )
  return {
    figures,
    cost: costOf(({ used }) => used),
    savedCost: costOf(({ savedTotal }) => savedTotal),
    unpriced: cells.filter(({ price }) => price === 0).reduce((sum, cell) => sum + cell.figures.used, 0),
    grams: factor ? gramsOf(figures.used, factor) : null,
    savedGrams: factor ? gramsOf(figures.savedTotal, factor) : null,
  }
}

/** Returns the months of a year, or the days of a month. */
export function partsOf(period: string): readonly string[] {
  const most =
    period.length === 4 ? 12 : new Date(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)), 0)).getUTCDate()
  return Array.from({ length: most }, (_, index) => `${period}-${String(index + 1).padStart(2, '0')}`)
}
