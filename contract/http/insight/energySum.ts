import { z } from 'zod'
import { SAVED_BY } from '#domain/energy/energyFigures.ts'

const wattHours = z.int()
const seconds = z.int()
const money = z.array(z.object({ currency: z.string(), minor: z.int() }))
const figures = z.object({
  used: wattHours,
  measured: wattHours,
  estimated: wattHours,
  saved: z.object(
    Object.fromEntries(SAVED_BY.map((rule) => [rule, wattHours])) as Record<
      (typeof SAVED_BY)[number],
      typeof wattHours
    >,
  ),
  savedTotal: wattHours,
  notDrawn: wattHours,
  alwaysFull: wattHours,
  unknownSeconds: seconds,
  unmodelledSeconds: seconds,
})
/** Energy, its cost and its CO₂. */
export const energySum = z.object({
  figures,
  /** Amounts in the smallest unit of each currency; empty where no price is known. */
  cost: money,
  savedCost: money,
  /** Watt-hours used before the first price. */
  unpriced: wattHours,
  /** Grams of CO₂; null where the figure of the country is unknown. */
  grams: z.int().nullable(),
  savedGrams: z.int().nullable(),
})
export type EnergySum = z.output<typeof energySum>
