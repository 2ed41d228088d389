import type { ChartSeries } from './series/chartSeries.ts'
import type { ChartLook } from './uplotOptions.ts'

const LINE_PX = 20
const MARGIN_PX = 16
const MARK_PX = 40

interface NamedLine extends Pick<ChartSeries, 'name' | 'color' | 'dash'> {
  readonly isArea?: boolean
}

/** It draws the canvas as a picture with its title, the names of the lines, and the theme's background. */
export async function chartPng(
  drawn: HTMLCanvasElement,
  title: string,
  named: readonly NamedLine[],
  look: ChartLook,
): Promise<Blob> {
  const ratio = window.devicePixelRatio || 1
  const header = (MARGIN_PX + LINE_PX) * ratio
  const canvas = document.createElement('canvas')
  canvas.width = drawn.width + 2 * MARGIN_PX * ratio
  canvas.height = drawn.height + header + (MARGIN_PX + named.length * LINE_PX) * ratio
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw pictures.')
  context.fillStyle = look.surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(drawn, MARGIN_PX * ratio, header)
  context.scale(ratio, ratio)
  context.textBaseline = 'middle'
  context.fillStyle = look.text
  context.font = '600 13px "IBM Plex Sans Variable", system-ui, sans-serif'
  context.fillText(title, MARGIN_PX, MARGIN_PX + LINE_PX / 2)
  context.font = '12px "IBM Plex Sans Variable", system-ui, sans-serif'
  for (const [line, { name, color, dash = [], isArea }] of named.entries()) {
    const y = (drawn.height + header) / ratio + (line + 0.5) * LINE_PX
    context.fillStyle = color
    context.strokeStyle = color
    context.lineWidth = 3
    context.setLineDash([...dash])
    context.beginPath()
    context.moveTo(MARGIN_PX, y)
    context.lineTo(MARGIN_PX + MARK_PX, y)
    if (isArea) context.fillRect(MARGIN_PX, y - 5, MARK_PX, 10)
    else context.stroke()
    context.fillStyle = look.text
    context.fillText(name, MARGIN_PX + MARK_PX + 8, y)
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png'),
  )
}
