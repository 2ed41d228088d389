import { type RefObject, useEffect, useRef } from 'react'
import type uPlot from 'uplot'

export interface ChartShade {
  readonly name: string
  /** Both ends are in seconds since 1970. */
  readonly spans: readonly { readonly fromS: number; readonly toS: number }[]
  readonly tone?: 'crit' | 'warn' | 'brand'
}

/** The alpha keeps lines and grid readable above the shade. */
const LOOKS = {
  quiet: { variable: '--line-strong', alpha: 0.42 },
  crit: { variable: '--crit', alpha: 0.16 },
  warn: { variable: '--warn', alpha: 0.16 },
  brand: { variable: '--brand', alpha: 0.16 },
} as const
const lookOf = ({ tone }: ChartShade) => LOOKS[tone ?? 'quiet']

export const shadeColour = (shade: ChartShade, host: Element) =>
  getComputedStyle(host).getPropertyValue(lookOf(shade).variable).trim()

/**
 * It shades periods behind everything else of a chart.
 *
 * @returns a function to call with each chart that is made
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

export const isShaded = ({ spans }: ChartShade, atS: number): boolean =>
  spans.some(({ fromS, toS }) => atS >= fromS && atS < toS)
