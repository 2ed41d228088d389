import type uPlot from 'uplot'

const LABEL = 'now'
const LABEL_FONT_PX = 11

/** It draws a labelled line at the present onto the canvas, so that an exported picture has it too. */
export function drawNow({ ctx, bbox, scales, valToPos }: uPlot, nowS: number, color: string) {
  const { min, max } = scales.x ?? {}
  if (typeof min !== 'number' || typeof max !== 'number' || nowS <= min || nowS >= max) return
  const ratio = devicePixelRatio
  const x = Math.round(valToPos(nowS, 'x', true))
  const bottom = bbox.top + bbox.height
  ctx.save()
  ctx.strokeStyle = color
  ctx.fillStyle = color
  ctx.lineWidth = ratio
  ctx.setLineDash([])
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bottom)
  ctx.stroke()
  ctx.font = `${LABEL_FONT_PX * ratio}px "IBM Plex Sans Variable", system-ui, sans-serif`
  ctx.textBaseline = 'bottom'
  const room = 3 * ratio
  const isAtEnd = x + room + ctx.measureText(LABEL).width > bbox.left + bbox.width
  ctx.textAlign = isAtEnd ? 'right' : 'left'
  ctx.fillText(LABEL, isAtEnd ? x - room : x + room, bottom - room)
  ctx.restore()
}
