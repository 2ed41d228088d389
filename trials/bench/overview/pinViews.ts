import { openTable, quantile } from '../../frame/table.ts'
import { addressOf, sent } from './questions.ts'
import { medianAnd95, times } from './repeats.ts'

/** The zooms of a window of 1440 × 800 pixels over the middle of the fleet; undefined stands for every pin. */
const VIEWS = [undefined, 4, 6, 8, 11] as const
const [WIDTH_PX, HEIGHT_PX, TILE_PX] = [1440, 800, 256]
const MIDDLE = { latitude: 48, longitude: 8 }

function viewAt(zoom: number): Record<string, string> {
  const degrees = 360 / (TILE_PX * 2 ** zoom)
  const [wide, high] = [
    (WIDTH_PX * degrees) / 2,
    (HEIGHT_PX * degrees * Math.cos((MIDDLE.latitude * Math.PI) / 180)) / 2,
  ]
  return {
    zoom: String(zoom),
    west: String(Math.max(-180, MIDDLE.longitude - wide)),
    east: String(Math.min(180, MIDDLE.longitude + wide)),
    south: String(Math.max(-90, MIDDLE.latitude - high)),
    north: String(Math.min(90, MIDDLE.latitude + high)),
  }
}

/** Measures as a browser calls, with the size of the answers. */
export async function measurePins(httpUrl: string, token: string) {
  console.log('\nPins of the map')
  const row = openTable(['median ms', 'p95 ms', 'plain ms', 'kB plain', 'kB sent'], 44)
  for (const zoom of VIEWS) {
    const address = addressOf(httpUrl, 'Device/GetDevicePins', zoom === undefined ? {} : viewAt(zoom))
    const pins = () => sent(address, token)
    const plain = () => sent(address, token, 'identity')
    const [sentKb, plainKb] = [(await pins()).byteLength / 1024, (await plain()).byteLength / 1024]
    const name = zoom === undefined ? 'every pin' : `of a view at zoom ${zoom}`
    const inPlain = quantile(await times(10, plain), 0.5)
    row(name, [...medianAnd95(await times(10, pins)), inPlain, plainKb, sentKb])
  }
}
