export type Values = readonly (number | null)[]

/** One line of a chart, ready to be drawn. */
export interface ChartSeries {
  readonly key: string
  readonly name: string
  readonly unit?: string | undefined
  /** As the theme draws it, `#rrggbb`. */
  readonly color: string
  readonly axis: 'left' | 'right'
  /** Over the common times of the chart; null is a gap. */
  readonly values: Values
  readonly low?: Values | undefined
  readonly high?: Values | undefined
  /** A level that readings are compared with: dashed, without an area. */
  readonly isLevel?: true
  /** Lengths in pixels of strokes and gaps; absent: one whole line. */
  readonly dash?: readonly number[] | undefined
  /** The series that this one is drawn beside; both are shown or hidden together. */
  readonly of?: string
  /** Behind the others: thin, without an area. */
  readonly isFaint?: true
}

/** Behind the colour of a faint line: how much of it is seen. */
export const FAINT_ALPHA = '8c'
/** Of a level. */
export const LEVEL_DASH = [6, 4] as const

/** Readings that have gaps on both sides: a line through one point is nothing, so they are drawn as dots. */
export function lonelyIndexes(values: Values): number[] {
  const lonely: number[] = []
  for (let index = 0; index < values.length; index++) {
    if (isGap(values[index]) || !isGap(values[index - 1]) || !isGap(values[index + 1])) continue
    lonely.push(index)
  }
  return lonely
}

const isGap = (value: number | null | undefined) => value === null || value === undefined

/** Units of one axis, each once: "°C, %". */
export function axisLabel(series: readonly ChartSeries[], axis: ChartSeries['axis']): string {
  const units = series.filter((one) => one.axis === axis).map(({ unit }) => unit)
  return [...new Set(units.filter((unit) => unit !== undefined))].join(', ')
}

/** Whether zero lies on an axis. */
export const hasZero = (low: number | null | undefined, high: number | null | undefined): boolean =>
  typeof low === 'number' && typeof high === 'number' && low <= 0 && high >= 0

/** What an axis spans: what is shown with a little room, or from zero (to 100 where everything is a percentage). */
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
