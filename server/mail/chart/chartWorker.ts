import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import { palettePng } from './palettePng.ts'

/** The Latin letters of IBM Plex Sans (OFL, see OFL.txt) make a picture independent of the machine. */
const FONT = fileURLToPath(new URL('./IBMPlexSans-Regular-Latin.ttf', import.meta.url))
/** Screens with small pixels need it. */
const ZOOM = 2

parentPort?.on('message', (svg: string) => {
  const drawn = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: { loadSystemFonts: false, fontFiles: [FONT], defaultFontFamily: 'IBM Plex Sans' },
  }).render()
  parentPort?.postMessage(palettePng(drawn.pixels, drawn.width, drawn.height))
})
