import type { ChartSeries } from './chartSeries.ts'

export type HiddenKeys = ReadonlySet<string>

export const NONE_HIDDEN: HiddenKeys = new Set()

/** A line and what is compared with it are shown or hidden together. */
export const ownerOf = ({ key, of }: Pick<ChartSeries, 'key' | 'of'>): string => of ?? key

export const isHidden = (series: Pick<ChartSeries, 'key' | 'of'>, hidden: HiddenKeys) => hidden.has(ownerOf(series))

export function toggled(hidden: HiddenKeys, key: string): HiddenKeys {
  const next = new Set(hidden)
  if (!next.delete(key)) next.add(key)
  return next
}

export function isolated(keys: readonly string[], hidden: HiddenKeys, key: string): HiddenKeys {
  return isIsolated(keys, hidden, key) ? NONE_HIDDEN : new Set(keys.filter((one) => one !== key))
}

export const isIsolated = (keys: readonly string[], hidden: HiddenKeys, key: string): boolean =>
  keys.every((one) => hidden.has(one) === (one !== key))
