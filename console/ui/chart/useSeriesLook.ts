import { type RefObject, useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import type { ChartSeries } from './series/chartSeries.ts'
import { type HiddenKeys, isHidden, ownersOf } from './series/shownSeries.ts'

const FADED_ALPHA = 0.15

interface Wanted {
  readonly chart: RefObject<uPlot | undefined>
  readonly series: readonly ChartSeries[]
  readonly hidden: HiddenKeys
  readonly pointed: string | undefined
}

/**
 * It hides and fades lines of an existing chart without drawing it again.
 *
 * @returns a function to call with each chart that is made
 */
export function useSeriesLook({ chart, series, hidden, pointed }: Wanted): (drawn: uPlot) => void {
  const latest = useRef({ hidden, pointed })
  latest.current = { hidden, pointed }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart of other series is made anew, and gets its look then
  useEffect(() => {
    if (chart.current) show(chart.current, series, hidden)
  }, [hidden])
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!chart.current) return
    fade(chart.current, series, pointed)
    chart.current.redraw(false)
  }, [pointed])

  return (drawn) => {
    show(drawn, series, latest.current.hidden)
    fade(drawn, series, latest.current.pointed)
  }
}

function show(chart: uPlot, series: readonly ChartSeries[], hidden: HiddenKeys) {
  chart.batch(() => {
    for (const { one, line } of linesOf(series)) {
      const isShown = !isHidden(one, hidden)
      if (chart.series[line]?.show !== isShown) chart.setSeries(line, { show: isShown })
    }
  })
}

function fade(chart: uPlot, series: readonly ChartSeries[], pointed: string | undefined) {
  for (const { one, line } of linesOf(series)) {
    const drawn = chart.series[line]
    if (drawn) drawn.alpha = pointed === undefined || ownersOf(one).includes(pointed) ? 1 : FADED_ALPHA
  }
}

/** It maps series to uPlot's lines: a mean is followed by its extremes (`uplotData`). */
function linesOf(series: readonly ChartSeries[]) {
  const lines: { readonly one: ChartSeries; readonly line: number }[] = []
  for (const one of series) {
    const count = one.low && one.high ? 3 : 1
    for (let each = 0; each < count; each++) lines.push({ one, line: lines.length + 1 })
  }
  return lines
}
