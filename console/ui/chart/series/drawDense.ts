import uPlot from 'uplot'
import type { ChartSeries } from './chartSeries.ts'
import { isStroke } from './dashes.ts'
import { envelopeOf } from './envelope.ts'

/** The edges are in pixels of the canvas, by column; NaN means that nothing is drawn. */
interface Edges {
  readonly top: Float64Array
  readonly bottom: Float64Array
}

interface Fills {
  readonly line: string
  readonly area: string
  readonly band: string
}

const LINE_WIDTH = 1.6
const DOT_WIDTH = 6
/** Strokes and areas of more points than this, counted over all lines, cost the browser more than a frame. */
const MOST_POINTS = 3000

/**
 * The browser needs up to a second to fill paths through many points in view, which then look like the columns of
 * pixels that they cover. So those columns are drawn instead.
 */
export function isDense(chart: uPlot): boolean {
  const [first = 0, last = 0] = chart.series[0]?.idxs ?? []
  const points = last - first
  return points > chart.bbox.width || points * (chart.series.length - 1) > MOST_POINTS
}

export function drawDense(chart: uPlot, timesS: readonly number[], series: ChartSeries, fills: Fills) {
  const { left, top, width, height } = chart.bbox
  const { min = 0, max = 1 } = chart.scales.x ?? {}
  // While a window is made narrow, the width of a chart can be negative for a moment.
  const columnCount = Math.max(0, Math.round(width))
  const view = { min: min ?? 0, max: max ?? 1 }
  const yOf = placesOf(chart, series.axis)
  const edgesOf = (low: ChartSeries['values'], high: ChartSeries['values']): Edges => {
    const covered = envelopeOf(timesS, { low, high }, view, columnCount)
    return { top: covered.high.map(yOf), bottom: covered.low.map(yOf) }
  }
  const line = edgesOf(series.values, series.values)
  const zeroY = Math.min(top + height, Math.max(top, yOf(0)))
  const { ctx } = chart
  const dotPx = DOT_WIDTH * uPlot.pxRatio
  const fill = (style: string, edges: Edges, roomPx = 0, dash?: ChartSeries['dash']) => {
    ctx.strokeStyle = style
    ctx.stroke(columnsOf(edges, left, roomPx, (column) => isStroke(dash, column / uPlot.pxRatio)))
    if (roomPx === 0) return
    ctx.fillStyle = style
    for (const [x, y] of lonelyPlaces(edges)) ctx.fillRect(left + x + 0.5 - dotPx / 2, y - dotPx / 2, dotPx, dotPx)
  }
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  ctx.lineWidth = 1
  ctx.lineCap = 'butt'
  ctx.setLineDash([])
  if (fills.area)
    fill(fills.area, {
      top: line.top.map((y) => Math.min(y, zeroY)),
      bottom: line.bottom.map((y) => Math.max(y, zeroY)),
    })
  if (series.low && series.high) fill(fills.band, edgesOf(series.low, series.high))
  fill(fills.line, line, (LINE_WIDTH / 2) * uPlot.pxRatio, series.dash)
  ctx.restore()
}

/** It is the `valToPos` of a chart with linear axes, without calling it for each of some ten thousand places. */
function placesOf(chart: uPlot, axis: ChartSeries['axis']): (value: number) => number {
  const { min, max } = chart.scales[axis] ?? {}
  if (typeof min !== 'number' || typeof max !== 'number') return () => Number.NaN
  const [foot, head] = [chart.valToPos(min, axis, true), chart.valToPos(max, axis, true)]
  const perUnit = (head - foot) / (max - min)
  return (value) => foot + (value - min) * perUnit
}

/** Each column is one upright line, because a closed outline of them all takes ten times as long to fill. */
function columnsOf({ top, bottom }: Edges, left: number, roomPx: number, isDrawn: (column: number) => boolean): Path2D {
  const path = new Path2D()
  for (let column = 0; column < top.length; column++) {
    const [topPx, bottomPx] = [top[column] as number, bottom[column] as number]
    if (Number.isNaN(topPx) || !isDrawn(column)) continue
    path.moveTo(left + column + 0.5, topPx - roomPx)
    path.lineTo(left + column + 0.5, bottomPx + roomPx)
  }
  return path
}

/** A reading between two breaks is too narrow to be seen as a line. */
function lonelyPlaces({ top }: Edges): [number, number][] {
  const places: [number, number][] = []
  for (const [column, y] of top.entries()) {
    const isLonely =
      !Number.isNaN(y) && Number.isNaN(top[column - 1] ?? Number.NaN) && Number.isNaN(top[column + 1] ?? Number.NaN)
    if (isLonely) places.push([column, y])
  }
  return places
}
