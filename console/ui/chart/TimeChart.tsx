import { useComputedColorScheme } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import uPlot from 'uplot'
import type { Period } from '#console/ui/period.ts'
import { ChartLegend } from './ChartLegend.tsx'
import { chartPng } from './chartPng.ts'
import type { ChartSeries } from './chartSeries.ts'
import { readLook, uplotData, uplotOptions } from './uplotOptions.ts'
import './chart.css'

export interface TimeChartHandle {
  /** What is drawn now. */
  readonly png: (title: string) => Promise<Blob>
}

interface Props {
  readonly timesS: readonly number[]
  readonly series: readonly ChartSeries[]
  /** The stretch of time that is shown. */
  readonly shown: Period
  /** What the chart says, for those who do not see it. */
  readonly summary: string
  /** The y-axes fit what is shown; else they start at zero. */
  readonly fits: boolean
  /** Somebody asks for a part of what is shown. */
  readonly onZoom: (part: Period) => void
  readonly onZoomOut: () => void
  readonly handle?: RefObject<TimeChartHandle | null>
}

const LONG_STEP = 10
const SHORTEST_ZOOM_S = 60

/**
 * Lines over time with two y-axes. Drag to zoom, double click or Esc to go back. With the keyboard: arrows move the
 * cursor (with Shift by ten), Home and End jump, + and - zoom.
 */
export function TimeChart({ timesS, series, shown, summary, fits, onZoom, onZoomOut, handle }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | undefined>(undefined)
  const scheme = useComputedColorScheme('dark')
  const [cursor, setCursor] = useState<{ readonly index: number | undefined; readonly isSpoken: boolean }>()
  const told = useRef({ onZoom, onZoomOut })
  told.current = { onZoom, onZoomOut }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is other colours of everything drawn
  useEffect(() => {
    const host = stage.current
    if (!host || !canDraw()) return
    const options = uplotOptions({
      series,
      look: readLook(host),
      fits,
      size: { width: host.clientWidth, height: host.clientHeight },
      onCursor: (index) => setCursor((before) => (before?.index === index ? before : { index, isSpoken: false })),
      onSelect: (fromS, toS) => told.current.onZoom(periodOf(fromS, toS)),
      onDoubleClick: () => told.current.onZoomOut(),
    })
    const drawn = new uPlot(options, uplotData(timesS, series), host)
    chart.current = drawn
    drawn.setScale('x', secondsOf(shown))
    const follow = new ResizeObserver(() => drawn.setSize({ width: host.clientWidth, height: host.clientHeight }))
    follow.observe(host)
    return () => {
      follow.disconnect()
      drawn.destroy()
      chart.current = undefined
      setCursor(undefined)
    }
  }, [timesS, series, fits, scheme])

  useEffect(() => {
    chart.current?.setScale('x', secondsOf(shown))
  }, [shown])

  useImperativeHandle(handle, () => ({
    png: (title) => {
      if (!chart.current || !stage.current) throw new Error('There is no chart.')
      return chartPng(chart.current.ctx.canvas, title, series, readLook(stage.current))
    },
  }))

  const moveTo = (index: number) => {
    const drawn = chart.current
    const { first, last } = shownIndexes(timesS, shown)
    const target = Math.max(first, Math.min(last, index))
    const timeS = timesS[target]
    if (!drawn || timeS === undefined) return
    drawn.setCursor({ left: drawn.valToPos(timeS, 'x'), top: drawn.over.clientHeight / 2 })
    setCursor({ index: target, isSpoken: true })
  }
  const zoomBy = (factor: number) => {
    const { min, max } = secondsOf(shown)
    const middle = (cursor?.index === undefined ? undefined : timesS[cursor.index]) ?? (min + max) / 2
    const [fromS, toS] = [middle - (middle - min) * factor, middle + (max - middle) * factor]
    if (toS - fromS >= SHORTEST_ZOOM_S) onZoom(periodOf(fromS, toS))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const { first, last } = shownIndexes(timesS, shown)
    const step = event.shiftKey ? LONG_STEP : 1
    const at = cursor?.index
    if (event.key === 'ArrowRight') moveTo(at === undefined ? first : at + step)
    else if (event.key === 'ArrowLeft') moveTo(at === undefined ? last : at - step)
    else if (event.key === 'Home') moveTo(first)
    else if (event.key === 'End') moveTo(last)
    else if (event.key === '+') zoomBy(0.5)
    else if (event.key === '-') zoomBy(2)
    else if (event.key === 'Escape') onZoomOut()
    else return
    event.preventDefault()
  }

  return (
    <div className="time-chart">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of form fields it is not */}
      <div
        ref={stage}
        className="time-chart-stage"
        role="group"
        aria-label="Chart: arrow keys read values, plus and minus zoom, Escape shows the whole period"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys read and zoom the chart
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <span className="visually-hidden" role="img" aria-label={summary} />
      </div>
      <ChartLegend series={series} timesS={timesS} index={cursor?.index} isSpoken={cursor?.isSpoken ?? false} />
    </div>
  )
}

/** The first and last moment within what is shown. */
function shownIndexes(timesS: readonly number[], shown: Period) {
  const { min, max } = secondsOf(shown)
  const first = timesS.findIndex((timeS) => timeS >= min)
  const last = timesS.findLastIndex((timeS) => timeS <= max)
  return { first: Math.max(0, first), last: Math.max(0, last) }
}

const secondsOf = ({ from, to }: Period) => ({ min: from.getTime() / 1000, max: to.getTime() / 1000 })
const periodOf = (fromS: number, toS: number): Period => ({
  from: new Date(Math.round(fromS) * 1000),
  to: new Date(Math.round(toS) * 1000),
})

/** Without a canvas the legend, the summary and the table still say everything. */
function canDraw(): boolean {
  return document.createElement('canvas').getContext('2d') !== null
}
