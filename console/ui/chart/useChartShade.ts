import { type RefObject, useEffect, useRef } from 'react'
import type uPlot from 'uplot'

/** Stretches of time that are set apart, e.g. those in which darkness was planned. */
export interface ChartShade {
  /** What they are, for the legend. */
  readonly name: string
  /** In seconds since 1970. */
  readonly spans: readonly { readonly fromS: number; readonly toS: number }[]
}

/** So that lines and grid stay readable above it. */
const ALPHA = 0.42

/**
 * Shades stretches of time behind everything else of a chart.
 *
 * @returns what has to be told of each chart that is made
 */
export function useChartShade(chart: RefObject<uPlot | undefined>, shade: ChartShade | undefined) {
  const latest = useRef(shade)
  latest.current = shade
  // biome-ignore lint/correctness/useExhaustiveDependencies: another shade is drawn at once
  useEffect(() => chart.current?.redraw(false), [shade])

  return (drawn: uPlot): void => {
    const hooks = drawn.hooks as { drawClear?: ((chart: uPlot) => void)[] }
    hooks.drawClear = [...(hooks.drawClear ?? []), (it) => drawShade(it, latest.current)]
  }
}

function drawShade(chart: uPlot, shade: ChartShade | undefined) {
  const { ctx, bbox, root } = chart
  const { min, max } = chart.scales.x ?? {}
  if (!shade || typeof min !== 'number' || typeof max !== 'number') return
  ctx.save()
  ctx.globalAlpha = ALPHA
  ctx.fillStyle = getComputedStyle(root).getPropertyValue('--line-strong').trim()
  for (const { fromS, toS } of shade.spans) {
    if (toS <= min || fromS >= max) continue
    const left = chart.valToPos(Math.max(fromS, min), 'x', true)
    ctx.fillRect(left, bbox.top, chart.valToPos(Math.min(toS, max), 'x', true) - left, bbox.height)
  }
  ctx.restore()
}

/** Whether a moment lies in one of the stretches. */
export const isShaded = ({ spans }: ChartShade, atS: number): boolean =>
  spans.some(({ fromS, toS }) => atS >= fromS && atS < toS)
