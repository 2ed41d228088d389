import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import encodeQR from 'qr'

/** What the browsers of this worker take for their camera. */
export const CAMERA_FILE = join(tmpdir(), `wayside-camera-${process.env.TEST_PARALLEL_INDEX ?? 0}.y4m`)

const [WIDTH, HEIGHT, CODE_PIXELS, LEFT, TOP] = [640, 480, 360, 140, 60] as const
const [DARK, LIGHT, WALL] = [20, 235, 200] as const

/** Holds a QR code before the camera: a film of one picture (YUV4MPEG2). */
export function showToCamera(text: string): void {
  const code = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const scale = Math.floor(CODE_PIXELS / code.length)
  const grey = Buffer.alloc(WIDTH * HEIGHT, WALL)
  for (const [row, modules] of code.entries()) {
    for (const [column, isDark] of modules.entries()) {
      for (let y = 0; y < scale; y++) {
        const from = (TOP + row * scale + y) * WIDTH + LEFT + column * scale
        grey.fill(isDark ? DARK : LIGHT, from, from + scale)
      }
    }
  }
  const colourless = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  const head = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F15:1 Ip A1:1 C420jpeg\nFRAME\n`
  writeFileSync(CAMERA_FILE, Buffer.concat([Buffer.from(head), grey, colourless]))
}
