import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'
import { palettePng } from './palettePng.ts'

/** IBM's own part with the Latin letters (OFL, see OFL.txt): what a picture says does not depend on the machine. */
const FONT = fileURLToPath(new URL('./IBMPlexSans-Regular-Latin.ttf', import.meta.url))
/** For screens whose pixels are small. */
const ZOOM = 2

parentPort?.on('message', (svg: string) => {
  const drawn = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: { loadSystemFonts: false, fontFiles: [FONT], defaultFontFamily: 'IBM Plex Sans' },
  }).render()
  parentPort?.postMessage(palettePng(drawn.pixels, drawn.width, drawn.height))
})
