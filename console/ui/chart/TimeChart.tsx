import { type KeyboardEvent, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import uPlot from 'uplot'
import type { Period } from '#console/ui/filter/period.ts'
import { useScheme } from '#console/ui/style/scheme.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { ChartLegend } from './ChartLegend.tsx'
import { followGestures } from './chartGestures.ts'
import { chartPng } from './chartPng.ts'
import type { ChartMarker } from './markers.ts'
import type { ChartSeries } from './series/chartSeries.ts'
import { panned, viewWith, zoomed } from './series/chartView.ts'
import { firstIndexFrom } from './series/envelope.ts'
import { type HiddenKeys, isHidden, NONE_HIDDEN } from './series/shownSeries.ts'
import { readLook, uplotData, uplotOptions } from './uplotOptions.ts'
import { type OnMarker, useChartMarkers } from './useChartMarkers.ts'
import { type ChartShade, shadeColour, useChartShade } from './useChartShade.ts'
import { periodOf, useChartView } from './useChartView.ts'
import { useSeriesLook } from './useSeriesLook.ts'
import './chart.css'

export interface TimeChartHandle {
  readonly png: (title: string) => Promise<Blob>
}

interface Props {
  readonly timesS: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly shown: Period
  readonly whole: Period
  readonly summary: string
  readonly fits: boolean
  readonly onZoom: (part: Period) => void
  readonly onZoomOut: () => void
  readonly markers?: readonly ChartMarker[] | undefined
  readonly onMarker?: OnMarker | undefined
  readonly shades?: readonly ChartShade[] | undefined
  readonly handle?: RefObject<TimeChartHandle | null>
  /** The owner may keep which lines are hidden; otherwise the chart does. */
  readonly hidden?: HiddenKeys | undefined
  readonly onHidden?: ((hidden: HiddenKeys) => void) | undefined
}

const LONG_STEP = 10
const LABEL =
  'Chart: arrow keys read values, plus and minus zoom, Page Up and Page Down move along, Escape shows the whole period'

/**
 * It draws lines over time with two y-axes. A drag zooms in, a double click or Esc goes back; `followGestures` handles
 * the wheel. By keyboard, arrows move the cursor (with Shift by ten) and the view with it, Home and End jump, + and -
 * zoom, Page Up and Page Down pan, 0 and Esc go back.
 */
export function TimeChart(props: Props) {
  const { timesS, series, shown, whole, summary, fits, onZoom, onZoomOut, handle } = props
  const stage = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | undefined>(undefined)
  const scheme = useScheme()
  const [cursor, setCursor] = useState<{ readonly index: number | undefined; readonly isSpoken: boolean }>()
  const told = useRef(onZoom)
  told.current = onZoom
  const mark = useChartMarkers(chart, props.markers, props.onMarker)
  const shadeIn = useChartShade(chart, props.shades)
  const choice = useLegendChoice(props)
  const lookOf = useSeriesLook({ chart, series, ...choice })
  const moves = useChartView({ chart, shown, whole, onZoom, onZoomOut })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is other colours of everything drawn
  useEffect(() => {
    const host = stage.current
    if (!host || !canDraw()) return
    const options = uplotOptions({
      timesS,
      series,
      look: readLook(host),
      fits,
      size: { width: host.clientWidth, height: host.clientHeight },
      onCursor: (index) => setCursor((before) => (before?.index === index ? before : { index, isSpoken: false })),
      onSelect: (fromS, toS) => told.current(periodOf(fromS, toS)),
      onDoubleClick: () => moves.back(),
    })
    const drawn = new uPlot(options, uplotData(timesS, series), host)
    chart.current = drawn
    drawn.setScale('x', moves.view())
    const leave = followGestures(drawn, moves)
    const unmark = mark(drawn)
    shadeIn(drawn)
    lookOf(drawn)
    const follow = new ResizeObserver(() => drawn.setSize({ width: host.clientWidth, height: host.clientHeight }))
    follow.observe(host)
    // The line at the present moves with the time.
    const clock = setInterval(() => drawn.redraw(false), MINUTE_MS)
    return () => {
      clearInterval(clock)
      follow.disconnect()
      leave()
      unmark()
      drawn.destroy()
      chart.current = undefined
      setCursor(undefined)
    }
  }, [timesS, series, fits, scheme])

  useImperativeHandle(handle, () => ({
    png: (title) => {
      if (!chart.current || !stage.current) throw new Error('There is no chart.')
      return chartPng(
        chart.current.ctx.canvas,
        title,
        namesOf(
          series.filter((one) => !isHidden(one, choice.hidden)),
          props.shades,
          stage.current,
        ),
        readLook(stage.current),
      )
    },
  }))

  const moveTo = (index: number) => {
    const target = Math.max(0, Math.min(timesS.length - 1, index))
    const timeS = timesS[target]
    const drawn = chart.current
    if (!drawn || timeS === undefined) return
    moves.look(viewWith(moves.view(), timeS, moves.whole()))
    // Otherwise the chart would know the new view only after this task.
    drawn.batch(() => {})
    drawn.setCursor({ left: drawn.valToPos(timeS, 'x'), top: drawn.over.clientHeight / 2 })
    setCursor({ index: target, isSpoken: true })
  }
  const zoomBy = (factor: number) => {
    const { min, max } = moves.view()
    const atS = cursor?.index === undefined ? undefined : timesS[cursor.index]
    const isInView = atS !== undefined && atS >= min && atS <= max
    moves.look(zoomed(moves.view(), isInView ? atS : (min + max) / 2, factor, moves.whole()))
  }
  const moveBy = (views: number) => {
    const { min, max } = moves.view()
    moves.look(panned(moves.view(), (max - min) * views, moves.whole()))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const { min, max } = moves.view()
    const [first, last] = [firstIndexFrom(timesS, min), firstIndexFrom(timesS, max) - 1]
    const step = event.shiftKey ? LONG_STEP : 1
    const at = cursor?.index
    const keys: Record<string, () => void> = {
      ArrowRight: () => moveTo(at === undefined ? first : at + step),
      ArrowLeft: () => moveTo(at === undefined ? last : at - step),
      Home: () => moveTo(first),
      End: () => moveTo(last),
      '+': () => zoomBy(0.5),
      '=': () => zoomBy(0.5),
      '-': () => zoomBy(2),
      PageUp: () => moveBy(-0.5),
      PageDown: () => moveBy(0.5),
      '0': moves.back,
      Escape: moves.back,
    }
    const perform = keys[event.key]
    if (!perform) return
    perform()
    event.preventDefault()
  }

  return (
    <div className="time-chart">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of form fields it is not */}
      <div
        ref={stage}
        className="time-chart-stage"
        role="group"
        aria-label={LABEL}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys read and zoom the chart
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <span className="visually-hidden" role="img" aria-label={summary} />
      </div>
      <ChartLegend
        series={series}
        timesS={timesS}
        index={cursor?.index}
        isSpoken={cursor?.isSpoken ?? false}
        shades={props.shades}
        choice={choice}
      />
    </div>
  )
}

function useLegendChoice({ hidden, onHidden }: Pick<Props, 'hidden' | 'onHidden'>) {
  const [own, setOwn] = useState(NONE_HIDDEN)
  const [pointed, onPointed] = useState<string>()
  return { hidden: hidden ?? own, onHidden: onHidden ?? setOwn, pointed, onPointed }
}

function namesOf(series: readonly ChartSeries[], shades: readonly ChartShade[] = [], host: Element) {
  const shown = shades.filter(({ spans }) => spans.length > 0)
  return [...series, ...shown.map((shade) => ({ name: shade.name, color: shadeColour(shade, host), isArea: true }))]
}

/** The legend, the summary and the table still say everything if there is no canvas. */
function canDraw(): boolean {
  return document.createElement('canvas').getContext('2d') !== null
}
