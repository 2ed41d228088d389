import { type RefObject, useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import type { Period } from '#console/ui/filter/period.ts'
import type { View } from './series/chartView.ts'

/** The page (address, statistics, tables) follows when the chart has stood still for this long. */
const SETTLED_AFTER_MS = 160

interface Wanted {
  readonly chart: RefObject<uPlot | undefined>
  readonly shown: Period
  readonly whole: Period
  readonly onZoom: (part: Period) => void
  readonly onZoomOut: () => void
}

/** The chart moves at once, and the owner of `shown` is notified once it stands still. */
export function useChartView({ chart, shown, whole, onZoom, onZoomOut }: Wanted) {
  const view = useRef(viewOf(shown))
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const latest = useRef({ whole, onZoom, onZoomOut })
  latest.current = { whole, onZoom, onZoomOut }

  const show = (next: View) => {
    view.current = next
    chart.current?.setScale('x', next)
  }
  const look = (next: View) => {
    if (next.min === view.current.min && next.max === view.current.max) return
    show(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current.onZoom(periodOf(next.min, next.max)), SETTLED_AFTER_MS)
  }

  const back = () => {
    clearTimeout(timer.current)
    show(viewOf(latest.current.whole))
    latest.current.onZoomOut()
  }

  const [fromMs, toMs] = [shown.from.getTime(), shown.to.getTime()]
  // biome-ignore lint/correctness/useExhaustiveDependencies: periods come as new objects, only their ends count
  useEffect(() => {
    clearTimeout(timer.current)
    show(viewOf(shown))
  }, [fromMs, toMs])
  useEffect(() => () => clearTimeout(timer.current), [])

  return { view: () => view.current, whole: () => viewOf(latest.current.whole), look, back }
}

export type ChartMoves = ReturnType<typeof useChartView>

const viewOf = ({ from, to }: Period): View => ({ min: from.getTime() / 1000, max: to.getTime() / 1000 })

export const periodOf = (fromS: number, toS: number): Period => ({
  from: new Date(Math.round(fromS) * 1000),
  to: new Date(Math.round(toS) * 1000),
})
