export type Values = readonly (number | null)[]

export interface ChartSeries {
  readonly key: string
  readonly name: string
  readonly unit?: string | undefined
  readonly color: string
  readonly axis: 'left' | 'right'
  /** The values stand over the common times of the chart; null is a gap. */
  readonly values: Values
  readonly low?: Values | undefined
  readonly high?: Values | undefined
  /** A level that readings are compared with is dashed and has no area. */
  readonly isLevel?: true
  /** The lengths of strokes and gaps in pixels; absent means a whole line. */
  readonly dash?: readonly number[] | undefined
  /** The keys of the series that this one belongs to: it is shown as long as one of them is. */
  readonly of?: readonly string[]
  readonly isFaint?: true
}

/** This suffix makes the colour of a faint line translucent. */
export const FAINT_ALPHA = '8c'
export const LEVEL_DASH = [6, 4] as const

/** A line through a single point is invisible, so readings with gaps on both sides are drawn as dots. */
export function lonelyIndexes(values: Values): number[] {
  const lonely: number[] = []
  for (let index = 0; index < values.length; index++) {
    if (isGap(values[index]) || !isGap(values[index - 1]) || !isGap(values[index + 1])) continue
    lonely.push(index)
  }
  return lonely
}

const isGap = (value: number | null | undefined) => value === null || value === undefined

export function axisLabel(series: readonly ChartSeries[], axis: ChartSeries['axis']): string {
  const units = series.filter((one) => one.axis === axis).map(({ unit }) => unit)
  return [...new Set(units.filter((unit) => unit !== undefined))].join(', ')
}

export const hasZero = (low: number | null | undefined, high: number | null | undefined): boolean =>
  typeof low === 'number' && typeof high === 'number' && low <= 0 && high >= 0

/** An axis spans the values with a margin, or starts at zero (to 100 where everything is a percentage). */
export function axisRange(
  low: number | null,
  high: number | null,
  { fits, label }: { readonly fits: boolean; readonly label: string },
): [number, number] {
  if (low === null || high === null) return [0, label === '%' ? 100 : 1]
  if (!fits) {
    const top = label === '%' ? Math.max(100, high) : high
    return [Math.min(0, low * 1.05), top <= 0 ? 1 : top === 100 && label === '%' ? 100 : top * 1.05]
  }
  // A line that never moves lies in the middle.
  const room = high === low ? Math.abs(high) * 0.1 || 1 : (high - low) * 0.08
  return [low - room, high + room]
}
