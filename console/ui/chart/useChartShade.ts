import { type RefObject, useEffect, useRef } from 'react'
import type uPlot from 'uplot'

/** Stretches of time that are set apart, e.g. those in which darkness was planned. */
export interface ChartShade {
  /** What they are, for the legend. */
  readonly name: string
  /** In seconds since 1970. */
  readonly spans: readonly { readonly fromS: number; readonly toS: number }[]
  /** `crit`: something was wrong in them. */
  readonly tone?: 'crit'
}

/** So that lines and grid stay readable above it. */
const LOOKS = {
  quiet: { variable: '--line-strong', alpha: 0.42 },
  crit: { variable: '--crit', alpha: 0.16 },
} as const
const lookOf = ({ tone }: ChartShade) => LOOKS[tone ?? 'quiet']

/** The colour of a shade in the legend of a picture. */
export const shadeColour = (shade: ChartShade, host: Element) =>
  getComputedStyle(host).getPropertyValue(lookOf(shade).variable).trim()

/**
 * Shades stretches of time behind everything else of a chart.
 *
 * @returns what has to be told of each chart that is made
 */
export function useChartShade(chart: RefObject<uPlot | undefined>, shades: readonly ChartShade[] | undefined) {
  const latest = useRef(shades)
  latest.current = shades
  // biome-ignore lint/correctness/useExhaustiveDependencies: another shade is drawn at once
  useEffect(() => chart.current?.redraw(false), [shades])

  return (drawn: uPlot): void => {
    const hooks = drawn.hooks as { drawClear?: ((chart: uPlot) => void)[] }
    hooks.drawClear = [...(hooks.drawClear ?? []), (it) => drawShades(it, latest.current)]
  }
}

function drawShades(chart: uPlot, shades: readonly ChartShade[] = []) {
  for (const shade of shades) drawShade(chart, shade)
}

function drawShade(chart: uPlot, shade: ChartShade) {
  const { ctx, bbox, root } = chart
  const { min, max } = chart.scales.x ?? {}
  if (typeof min !== 'number' || typeof max !== 'number') return
  ctx.save()
  ctx.globalAlpha = lookOf(shade).alpha
  ctx.fillStyle = shadeColour(shade, root)
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
