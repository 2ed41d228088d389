import type { ChartSeries } from './chartSeries.ts'

export type HiddenKeys = ReadonlySet<string>

export const NONE_HIDDEN: HiddenKeys = new Set()

type Owned = Pick<ChartSeries, 'key' | 'of'>

/** A line and what is compared with it are shown or hidden together. */
export const ownersOf = ({ key, of }: Owned): readonly string[] => of ?? [key]

export const isHidden = (series: Owned, hidden: HiddenKeys) => ownersOf(series).every((key) => hidden.has(key))

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
