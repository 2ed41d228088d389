import type { GridFactor } from '#domain/energy/gridFactors.ts'
import type { Tariff } from '#domain/energy/tariffs.ts'
import { minorDigits } from '#domain/statement/statementTerms.ts'

/** Prices are typed and shown in the currency; they are kept in thousandths of its smallest unit. */
const scaleOf = (currency: string) => 10 ** (minorDigits(currency) + 3)

/** Writes `0.2834 EUR`. */
export function priceText({ currency, perKwhThousandths }: Pick<Tariff, 'currency' | 'perKwhThousandths'>): string {
  return `${Number((perKwhThousandths / scaleOf(currency)).toPrecision(12))} ${currency}`
}

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

export const tariffsText = (tariffs: readonly Tariff[]): string =>
  tariffs.map((tariff) => `${tariff.validFrom}: ${priceText(tariff)}`).join('\n')

/** Text that is no price becomes one that the call refuses, which then names its field. */
export const readTariffsText = (text: string): Tariff[] =>
  linesOf(text).map((line) => {
    const [, validFrom = '', price = '', currency = ''] = /^\s*(\S+?):?\s+(\S+)\s+(\S+)\s*$/.exec(line) ?? []
    const code = currency.toUpperCase()
    const number = price === '' ? Number.NaN : Number(price)
    return { validFrom, currency: code, perKwhThousandths: Math.round(number * scaleOf(code)) }
  })

export const factorsText = (factors: readonly GridFactor[]): string =>
  factors.map(({ year, gramsPerKwh, source }) => `${year}: ${gramsPerKwh} ${source}`).join('\n')

export const readFactorsText = (text: string): GridFactor[] =>
  linesOf(text).map((line) => {
    const [, year = 'x', grams = 'x', source = ''] = /^\s*(\d+):?\s+(\d+)\s*(.*?)\s*$/.exec(line) ?? []
    return { year: Number(year), gramsPerKwh: Number(grams), source }
  })

/** What staff set for energy. */
export type Basis = 'prices' | 'power' | 'factors'
