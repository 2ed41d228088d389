import { createServer } from 'node:http'
import { listenOn, type SimulatedInstrument } from './simulatedInstrument.ts'

export interface YoctoHubState {
  /** Attributes by serial number, then by function, as the hub reports them; sensors are in 65536ths. */
  readonly modules: Record<string, Record<string, Record<string, unknown>>>
  stuck: readonly string[]
}

export interface SimulatedYoctoHub extends SimulatedInstrument {
  readonly state: YoctoHubState
  /** The attributes that were set, oldest first: `RELAYLO1-00001/relay1/state=1`. */
  readonly orders: string[]
}

export const KNOB = 'YBUTTON1-12345'
export const LIGHT = 'LIGHTMK3-54321'
export const RELAYS = 'YRELHI02-00042'

const scaled = (value: number) => Math.round(value * 65_536)

/** Simulates a YoctoHub with a Yocto-Knob, a Yocto-Light and a Yocto-Relay, by its REST gateway. */
export async function startYoctoHub(): Promise<SimulatedYoctoHub> {
  const state: YoctoHubState = {
    modules: {
      [KNOB]: Object.fromEntries(
        [1, 2, 3, 4, 5].map((button) => [
          `anButton${button}`,
          { advertisedValue: '0', calibratedValue: button * 100, rawValue: 0, isPressed: 0, pulseCounter: button * 7 },
        ]),
      ),
      [LIGHT]: { lightSensor: { unit: 'lux', currentValue: scaled(1234.5), sensorState: 0 } },
      [RELAYS]: {
        relay1: { advertisedValue: 'B', state: 1, output: 1, pulseTimer: 0 },
        relay2: { advertisedValue: 'A', state: 0, output: 0, pulseTimer: 0 },
      },
    },
    stuck: [],
  }
  const orders: string[] = []
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://hub')
    if (pathname === '/api.json') {
      const whitePages = ['VIRTHUB0-0001', ...Object.keys(state.modules)].map((serialNumber) => ({ serialNumber }))
      return response.end(JSON.stringify({ module: { serialNumber: 'VIRTHUB0-0001' }, services: { whitePages } }))
    }
    const [, where, serial = '', ...path] = pathname.split('/')
    const functions = state.modules[serial]
    if (where !== 'bySerial' || !functions) return response.writeHead(404).end()
    if (path.join('/') === 'api.json')
      return response.end(JSON.stringify({ module: { serialNumber: serial }, ...functions }))
    const [, name = '', attribute = ''] = path
    const value = searchParams.get(attribute)
    const known = functions[name]
    if (value === null || !known) return response.writeHead(404).end()
    orders.push(`${serial}/${name}/${attribute}=${value}`)
    if (!state.stuck.includes(name)) known[attribute] = Number(value)
    return response.end(value)
  })
  const instrument = await listenOn((line) => http.emit('connection', line))
  return Object.assign(instrument, { state, orders })
}
