import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import type { Tile } from './tiles.ts'

const THOUSAND = 1000
const DECIMALS_BELOW = 10
const SHORT_FROM = 10_000

/** It covers a tile's hours and its value in their unit, and is undefined where the value is no number. */
export function rangeOf({ fieldId, hourlyMeans, reading }: Tile): string | undefined {
  if (numberedFieldById(fieldId)?.field.display !== 'number') return undefined
  const hours = (hourlyMeans ?? []).filter((mean) => mean !== null)
  if (hours.length === 0) return undefined
  const known = typeof reading?.value === 'number' ? [...hours, reading.value] : hours
  const [lowest, highest] = [Math.min(...known), Math.max(...known)]
  const isFine = highest - lowest < DECIMALS_BELOW && Math.abs(highest) < THOUSAND
  const [from, to] = [short(lowest, isFine), short(highest, isFine)]
  return from === to ? from : `${from} – ${to}`
}

function short(value: number, isFine: boolean): string {
  if (Math.abs(value) >= SHORT_FROM) return `${Math.round(value / THOUSAND)}k`
  return formatNumber(isFine ? Math.round(value * 10) / 10 : Math.round(value))
}
