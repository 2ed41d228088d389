import uPlot from 'uplot'
import { chosenTimeZone } from '#console/lib/time/viewerZone.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { drawNow } from './nowLine.ts'
import {
  axisLabel,
  axisRange,
  type ChartSeries,
  FAINT_ALPHA,
  hasZero,
  LEVEL_DASH,
  lonelyIndexes,
} from './series/chartSeries.ts'
import { drawDense, isDense } from './series/drawDense.ts'

export interface ChartLook {
  readonly text: string
  readonly dim: string
  readonly line: string
  readonly surface: string
}

const FONT = '12px "IBM Plex Sans Variable", system-ui, sans-serif'
/** The labels of the first and the last moment extend half beside the chart. */
const HALF_A_DATE_PX = 28
/** Many areas would hide each other, so they are fainter the more lines there are. */
const AREA_ALPHA = ['2e', '22', '1a', '12', '0e'] as const
const BAND_ALPHA = '30'

/** A canvas knows no style variables, so they are read here. */
export function readLook(element: Element): ChartLook {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(name).trim()
  return { text: color('--text'), dim: color('--dim'), line: color('--line'), surface: color('--surface') }
}

interface Wanted {
  readonly timesS: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly look: ChartLook
  readonly fits: boolean
  readonly size: { readonly width: number; readonly height: number }
  readonly onCursor: (index: number | undefined) => void
  /** A period was dragged; both ends are in seconds since 1970. */
  readonly onSelect: (fromS: number, toS: number) => void
  readonly onDoubleClick: () => void
}

export function uplotOptions(wanted: Wanted): uPlot.Options {
  const { timesS, series, look, fits, size, onCursor, onSelect, onDoubleClick } = wanted
  const labels = { left: axisLabel(series, 'left'), right: axisLabel(series, 'right') }
  const scale = (axis: ChartSeries['axis']): uPlot.Scale => ({
    range: (_chart, low, high) => axisRange(low, high, { fits, label: labels[axis] }),
  })
  const drawn = series.flatMap((one, index) => [
    ...(index === 0 ? [undefined] : []),
    one,
    ...(one.low && one.high ? [undefined, undefined] : []),
  ])
  const hasLeft = series.some(({ axis }) => axis === 'left')
  const hasRight = series.some(({ axis }) => axis === 'right')
  return {
    ...size,
    padding: [10, hasRight ? 0 : HALF_A_DATE_PX, 0, hasLeft ? 0 : HALF_A_DATE_PX],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: 4 },
      // Only the means can be pointed at; the edges of a band have no line of their own.
      points: {
        size: (chart, index) => (chart.series[index]?.width === 0 ? 0 : 7),
        width: (chart, index) => (chart.series[index]?.width === 0 ? 0 : 2),
        fill: () => look.surface,
      },
      bind: {
        // A drag with Shift pans the view (followGestures).
        mousedown: (_chart, target, start) => (event: MouseEvent) => {
          if (event.button === 0 && !event.shiftKey && event.target === target) start(event)
          return null
        },
        dblclick: () => () => {
          onDoubleClick()
          return null
        },
      },
    },
    scales: { x: { time: true, range: (_chart, from, to) => [from, to] }, left: scale('left'), right: scale('right') },
    ...tzDateOption(),
    axes: [
      timeAxis(look),
      valueAxis('left', labels.left, look, hasLeft),
      valueAxis('right', labels.right, look, hasRight, !hasLeft),
    ],
    series: [{}, ...series.flatMap((one) => linesOf(one, series.filter(({ isLevel }) => !isLevel).length))],
    bands: bandsOf(series),
    hooks: {
      draw: [(chart) => drawNow(chart, Date.now() / 1000, look.dim)],
      drawSeries: [
        (chart, index) => {
          const one = drawn[index]
          if (one && !one.isLevel && isDense(chart))
            drawDense(chart, timesS, one, { ...fillsOf(one, series.length), area: areaOf(chart, one, series.length) })
        },
      ],
      setCursor: [(chart) => onCursor((chart.cursor.left ?? -1) < 0 ? undefined : (chart.cursor.idx ?? undefined))],
      setSelect: [
        (chart) => {
          const { left, width } = chart.select
          if (width <= 0) return
          const [fromS, toS] = [chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')]
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          onSelect(fromS, toS)
        },
      ],
    },
  }
}

/** The data stands in the order of `uplotOptions`: times, then each mean followed by its extremes. */
export function uplotData(timesS: readonly number[], series: readonly ChartSeries[]): uPlot.AlignedData {
  const columns = series.flatMap(({ values, low, high }) => (low && high ? [values, high, low] : [values]))
  return [timesS, ...columns] as unknown as uPlot.AlignedData
}

function linesOf(series: ChartSeries, count: number): uPlot.Series[] {
  const { axis, low, high, values, isLevel } = series
  const { line: color } = fillsOf(series, count)
  if (isLevel)
    return [
      { scale: axis, stroke: color, width: 1.6, dash: [...LEVEL_DASH], paths: levelPath, points: { show: false } },
    ]
  const lonely = lonelyIndexes(values)
  const mean: uPlot.Series = {
    scale: axis,
    stroke: color,
    width: 1.6,
    fill: (chart) => areaOf(chart, series, count),
    ...(series.dash ? { dash: [...series.dash] } : {}),
    spanGaps: false,
    paths: pathUnlessDense,
    points: { size: 6, fill: color, filter: (chart, _index, isShown) => (isShown || isDense(chart) ? null : lonely) },
  }
  if (!low || !high) return [mean]
  const edge: uPlot.Series = {
    scale: axis,
    width: 0,
    stroke: 'transparent',
    spanGaps: false,
    paths: pathUnlessDense,
    points: { show: false },
  }
  return [mean, edge, { ...edge }]
}

/** A level holds for the whole period, also where nothing was reported. */
const levelPath: uPlot.Series.PathBuilder = (chart, index) => {
  const { scale } = chart.series[index] ?? {}
  const value = chart.data[index]?.[0]
  if (scale === undefined || typeof value !== 'number') return null
  const { left, width } = chart.bbox
  const y = chart.valToPos(value, scale, true)
  const stroke = new Path2D()
  stroke.moveTo(left, y)
  stroke.lineTo(left + width, y)
  return { stroke }
}

const linear = uPlot.paths.linear?.() as uPlot.Series.PathBuilder
const pathUnlessDense: uPlot.Series.PathBuilder = (chart, ...line) => (isDense(chart) ? null : linear(chart, ...line))

function fillsOf({ color, isFaint }: ChartSeries, count: number) {
  const area = AREA_ALPHA[Math.min(count, AREA_ALPHA.length) - 1] ?? AREA_ALPHA[0]
  return { line: isFaint ? color + FAINT_ALPHA : color, area: color + area, band: color + BAND_ALPHA }
}

/** An area under an axis without a zero would suggest a share of nothing. */
function areaOf(chart: uPlot, series: ChartSeries, count: number): string {
  const { min, max } = chart.scales[series.axis] ?? {}
  return !series.isFaint && hasZero(min, max) ? fillsOf(series, count).area : ''
}

function bandsOf(series: readonly ChartSeries[]): uPlot.Band[] {
  const bands: uPlot.Band[] = []
  let at = 1
  for (const { low, high, color } of series) {
    if (low && high) bands.push({ series: [at + 1, at + 2], fill: color + BAND_ALPHA })
    at += low && high ? 3 : 1
  }
  return bands
}

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S
const YEAR_S = 365 * DAY_S

/** The axis uses the zone that the viewer has chosen; without one uPlot uses the browser's, which is faster. */
function tzDateOption(): Pick<uPlot.Options, 'tzDate'> {
  const zone = chosenTimeZone()
  return zone === undefined ? {} : { tzDate: (atS) => uPlot.tzDate(new Date(atS * 1e3), zone) }
}

/** Days stand before months, and hours count to 24; the date stands below the first tick and wherever it changes. */
function timeAxis(look: ChartLook): uPlot.Axis {
  const date = '\n{DD}.{MM}.{YY}'
  const day = '\n{DD}.{MM}.'
  return {
    stroke: look.dim,
    font: FONT,
    space: 64,
    grid: { stroke: look.line, width: 1 },
    ticks: { stroke: look.line, width: 1, size: 5 },
    values: [
      [YEAR_S, '{YYYY}', null, null, null, null, null, null, 1],
      [28 * DAY_S, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
      [DAY_S, '{DD}.{MM}.', '\n{YYYY}', null, null, null, null, null, 1],
      [MINUTE_S, '{HH}:{mm}', date, null, day, null, null, null, 1],
      [1, '{HH}:{mm}:{ss}', date, null, day, null, null, null, 1],
    ],
  }
}

function valueAxis(
  side: ChartSeries['axis'],
  label: string,
  look: ChartLook,
  isShown: boolean,
  hasGrid = side === 'left',
): uPlot.Axis {
  return {
    scale: side,
    side: side === 'left' ? 3 : 1,
    show: isShown,
    stroke: look.dim,
    font: FONT,
    labelFont: FONT,
    ...(label ? { label, labelSize: 20 } : {}),
    size: (_chart, values) => 16 + 7 * Math.max(3, ...(values ?? []).map((text) => text?.length ?? 0)),
    grid: { show: hasGrid, stroke: look.line, width: 1 },
    ticks: { show: false },
    values: (_chart, splits) => splits.map((value) => formatNumber(value)),
  }
}
