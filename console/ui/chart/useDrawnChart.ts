import { type RefObject, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import type { Period } from '#console/ui/filter/period.ts'
import { isPrinting, onPrinting } from '#console/ui/style/printing.ts'
import { useScheme } from '#console/ui/style/scheme.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { followGestures } from './chartGestures.ts'
import type { ChartSeries } from './series/chartSeries.ts'
import { readLook, uplotData, uplotOptions } from './uplotOptions.ts'
import { type ChartMoves, periodOf } from './useChartView.ts'

interface Drawing {
  readonly stage: RefObject<HTMLElement | null>
  readonly chart: RefObject<uPlot | undefined>
  readonly timesS: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly fits: boolean
  readonly moves: ChartMoves
  readonly onZoom: (part: Period) => void
  readonly onCursor: (index: number | undefined) => void
  /** It adds what is not made of readings, and returns what removes it. */
  readonly decorate: (drawn: uPlot) => () => void
  readonly onRemoved: () => void
}

/** The chart is made anew only for other readings; all else changes it where it stands. */
export function useDrawnChart(drawing: Drawing) {
  const { stage, chart, timesS, series, fits } = drawing
  const scheme = useScheme()
  const latest = useRef(drawing)
  latest.current = drawing
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is other colours of everything drawn
  useEffect(() => {
    const host = stage.current
    if (!host || !canDraw()) return
    const { moves, decorate } = latest.current
    const options = uplotOptions({
      timesS,
      series,
      look: readLook(host),
      fits,
      size: sizeIn(host),
      onCursor: (index) => latest.current.onCursor(index),
      onSelect: (fromS, toS) => latest.current.onZoom(periodOf(fromS, toS)),
      onDoubleClick: () => moves.back(),
    })
    const drawn = new uPlot(options, uplotData(timesS, series), host)
    chart.current = drawn
    drawn.setScale('x', moves.view())
    const leave = followGestures(drawn, moves)
    const undecorate = decorate(drawn)
    const fit = () => drawn.setSize(sizeIn(host))
    const follow = new ResizeObserver(fit)
    follow.observe(host)
    const forget = onPrinting(fit)
    // The line at the present moves with the time.
    const clock = setInterval(() => drawn.redraw(false), MINUTE_MS)
    return () => {
      clearInterval(clock)
      follow.disconnect()
      forget()
      leave()
      undecorate()
      drawn.destroy()
      chart.current = undefined
      latest.current.onRemoved()
    }
  }, [timesS, series, fits, scheme])
}

/** A sheet of A4 or Letter across has this much room for it, which the browser tells nobody before it prints. */
const ON_PAPER_PX = 940

const sizeIn = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: isPrinting() ? Math.min(clientWidth, ON_PAPER_PX) : clientWidth,
  height: clientHeight,
})

/** The legend, the summary and the table still say everything if there is no canvas. */
function canDraw(): boolean {
  return document.createElement('canvas').getContext('2d') !== null
}
