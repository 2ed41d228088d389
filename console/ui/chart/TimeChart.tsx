import { type RefObject, useImperativeHandle, useRef, useState } from 'react'
import type uPlot from 'uplot'
import type { Period } from '#console/ui/filter/period.ts'
import { ChartLegend } from './ChartLegend.tsx'
import { chartKeys } from './chartKeys.ts'
import { chartPng } from './chartPng.ts'
import type { ChartMarker } from './markers.ts'
import type { ChartSeries } from './series/chartSeries.ts'
import { type HiddenKeys, isHidden, NONE_HIDDEN } from './series/shownSeries.ts'
import { readLook } from './uplotOptions.ts'
import { type OnMarker, useChartMarkers } from './useChartMarkers.ts'
import { type ChartShade, shadeColour, useChartShade } from './useChartShade.ts'
import { useChartView } from './useChartView.ts'
import { useDrawnChart } from './useDrawnChart.ts'
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

const LABEL =
  'Chart: arrow keys read values, plus and minus zoom, Page Up and Page Down move along, Escape shows the whole period'

/**
 * the wheel. By keyboard, arrows move the cursor (with Shift by ten) and the view with it, Home and End jump, + and -
 * zoom, Page Up and Page Down pan, 0 and Esc go back.
 */
export function TimeChart(props: Props) {
  const { timesS, series, shown, whole, summary, fits, onZoom, onZoomOut, handle } = props
  const stage = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | undefined>(undefined)
  const [cursor, setCursor] = useState<{ readonly index: number | undefined; readonly isSpoken: boolean }>()
  const mark = useChartMarkers(chart, props.markers, props.onMarker)
  const shadeIn = useChartShade(chart, props.shades)
  const choice = useLegendChoice(props)
  const lookOf = useSeriesLook({ chart, series, ...choice })
  const moves = useChartView({ chart, shown, whole, onZoom, onZoomOut })

  useDrawnChart({
    ...{ stage, chart, timesS, series, fits, moves, onZoom },
    onCursor: (index) => setCursor((before) => (before?.index === index ? before : { index, isSpoken: false })),
    decorate: (drawn) => {
      const unmark = mark(drawn)
      shadeIn(drawn)
      lookOf(drawn)
      return unmark
    },
    onRemoved: () => setCursor(undefined),
  })

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

  const onKeyDown = chartKeys({
    timesS,
    chart,
    moves,
    index: cursor?.index,
    onCursor: (index) => setCursor({ index, isSpoken: true }),
  })

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
