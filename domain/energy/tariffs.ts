import type { LocalDate } from '#domain/units/wallClock.ts'

/** A price from a day on. */
export interface Tariff {
  readonly validFrom: LocalDate
  /** An ISO 4217 code. */
  readonly currency: string
  /** The price of a kWh in thousandths of the currency's smallest unit. */
  readonly perKwhThousandths: number
}

export const MOST_TARIFFS = 60

/** Returns whole units of the currency's smallest unit, cut. */
export const costMinor = (wattHours: number, { perKwhThousandths }: Tariff): number =>
  Number((BigInt(wattHours) * BigInt(perKwhThousandths)) / 1_000_000n)

export interface Money {
  readonly currency: string
  readonly minor: number
}

/** Adds up amounts by currency. */
export function sumMoney(amounts: readonly Money[]): readonly Money[] {
  const sums = new Map<string, number>()
  for (const { currency, minor } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + minor)
  return [...sums].map(([currency, minor]) => ({ currency, minor })).sort((a, b) => b.minor - a.minor)
}

export function tariffProblem(tariffs: readonly Tariff[]): string | undefined {
  const days = new Set(tariffs.map(({ validFrom }) => validFrom))
  return days.size < tariffs.length ? 'Two prices begin on the same day.' : undefined
}
