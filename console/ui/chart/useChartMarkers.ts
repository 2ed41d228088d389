import { type RefObject, useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import { areMany, type ChartMarker, type MarkerGroup, markerGroups } from './markers.ts'
import './markers.css'

const CLOSEST_PX = 16
const DASH_PX = [3, 3]
const FLAG_PX = 6
const TICK_PX = 9

const NONE: readonly ChartMarker[] = []

export type OnMarker = (marker: ChartMarker) => void

/**
 * It draws markers over a chart that may move: a dashed line and a flag on the canvas (many become ticks at the edge),
 * so that a picture of the chart has them, and a link over each. Keyboard users find the same links in the list below
 * the chart.
 *
 * @returns a function to call with each chart that is made; it returns one that removes the markers
 */
export function useChartMarkers(
  chart: RefObject<uPlot | undefined>,
  markers: readonly ChartMarker[] = NONE,
  onMarker: OnMarker = () => {},
): (drawn: uPlot) => () => void {
  const latest = useRef({ markers, onMarker })
  latest.current = { markers, onMarker }
  // biome-ignore lint/correctness/useExhaustiveDependencies: other markers are drawn at once
  useEffect(() => chart.current?.redraw(false), [markers])

  return (drawn) => {
    const layer = document.createElement('div')
    layer.className = 'chart-markers'
    drawn.over.append(layer)
    const draw = () => {
      const groups = markerGroups(latest.current.markers, (atS) => drawn.valToPos(atS, 'x'), {
        widthPx: drawn.over.clientWidth,
        closestPx: CLOSEST_PX,
      })
      drawLines(drawn, groups)
      layer.replaceChildren(...groups.map((group) => linkOf(group, (marker) => latest.current.onMarker(marker))))
    }
    const hooks = drawn.hooks as { draw?: ((chart: uPlot) => void)[] }
    hooks.draw = [...(hooks.draw ?? []), draw]
    return () => layer.remove()
  }
}

function drawLines({ ctx, bbox, over }: uPlot, groups: readonly MarkerGroup[]) {
  const ratio = devicePixelRatio
  const isTicks = areMany(groups, over.clientWidth)
  ctx.save()
  for (const { x, markers } of groups) {
    const left = Math.round(bbox.left + x * ratio)
    const color = markers[0]?.color ?? ''
    ctx.strokeStyle = color
    ctx.fillStyle = color
    if (isTicks) {
      ctx.fillRect(left - ratio, bbox.top, 2 * ratio, TICK_PX * ratio)
      continue
    }
    ctx.lineWidth = ratio
    ctx.setLineDash(DASH_PX.map((px) => px * ratio))
    ctx.beginPath()
    ctx.moveTo(left, bbox.top)
    ctx.lineTo(left, bbox.top + bbox.height)
    ctx.stroke()
    ctx.beginPath()
    ctx.moveTo(left - FLAG_PX * ratio, bbox.top)
    ctx.lineTo(left + FLAG_PX * ratio, bbox.top)
    ctx.lineTo(left, bbox.top + 1.6 * FLAG_PX * ratio)
    ctx.fill()
  }
  ctx.restore()
}

/** The link of several markers leads to the first; the others stand in its text and in the list. */
function linkOf({ x, markers }: MarkerGroup, onMarker: OnMarker): HTMLAnchorElement {
  const link = document.createElement('a')
  const first = markers[0]
  link.className = 'chart-marker'
  link.style.left = `${x}px`
  link.href = first?.href ?? ''
  link.title = markers.map(({ text }) => text).join('\n')
  link.tabIndex = -1
  link.ariaHidden = 'true'
  if (markers.length > 1) link.textContent = String(markers.length)
  link.onclick = (event) => {
    // The browser opens the link in a tab of its own for a modifier key or another button.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0 || !first) return
    event.preventDefault()
    onMarker(first)
  }
  return link
}
