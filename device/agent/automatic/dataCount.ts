import type { Hardware } from '#device/hardware/hardware.ts'
import type { NetworkSwitchesReading } from '#device/hardware/readings.ts'
import {
  billingMonthFrom,
  countedTraffic,
  type DataBudget,
  type DataUse,
  usedMegabytes,
  usedPercent,
} from '#domain/dataBudget/dataUse.ts'
import type { Kept } from './levelsBefore.ts'

const REMEMBERED_AS = 'dataUse'
/** The router goes on counting, so what was not kept yet is counted after a restart of the client. */
const KEPT_EVERY_MS = 60_000

/** Counts the used part of the data budget, even without a network; without a budget nothing is reported. */
export interface DataCount {
  /** Adds what the router has counted since the last sample. */
  follow(timeZone: string): Promise<void>
  withUse(reading: NetworkSwitchesReading): NetworkSwitchesReading
}

export function createDataCount(deps: {
  readonly hardware: Pick<Hardware, 'networkSwitches'>
  readonly budget: () => DataBudget | null
  readonly store: Kept
  readonly now: () => number
}): DataCount {
  const { hardware, store, now } = deps
  const text = store.remembered(REMEMBERED_AS)
  let use = text === undefined ? undefined : (JSON.parse(text) as DataUse)
  let keptAtMs = Number.NEGATIVE_INFINITY

  const isToBeKept = (next: DataUse) =>
    !use ||
    next.monthFromMs !== use.monthFromMs ||
    next.counterBytes < use.counterBytes ||
    Math.abs(now() - keptAtMs) >= KEPT_EVERY_MS

  return {
    follow: async (timeZone) => {
      const budget = deps.budget()
      const counterBytes = budget ? await hardware.networkSwitches()?.trafficBytes?.() : undefined
      if (!budget || counterBytes === undefined) return
      const next = countedTraffic(use, counterBytes, billingMonthFrom(budget.billingDay, timeZone, new Date(now())))
      if (isToBeKept(next)) {
        store.remember(REMEMBERED_AS, JSON.stringify(next))
        keptAtMs = now()
      }
      use = next
    },
    withUse: (reading) => {
      const budget = deps.budget()
      if (!budget || !use) return reading
      return { ...reading, data_used: usedMegabytes(use), data_used_percent: usedPercent(use, budget) }
    },
  }
}
