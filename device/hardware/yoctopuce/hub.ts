import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { HardwareError } from '../hardware.ts'
import { lineName, wordsOfFailure } from '../wire/line.ts'

export interface YoctoHub {
  readonly host: string
  readonly port: number
}

export interface YoctoModule extends YoctoHub {
  /** The serial number printed on the module: `YBUTTON1-12345`. */
  readonly serial: string
}

/** The values of a module's functions, by the names of the hub's REST gateway (VirtualHub user's guide, §4.2). */
export type YoctoFunctions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const LONGEST_ANSWER_BYTES = 256 * 1024
/** Sensors report 65536ths (`YSensor` in the maker's libraries, the same in all languages). */
const SENSOR_SCALE = 65_536

/**
 * Reads everything that a module reports: `GET /bySerial/{serial}/api.json`.
 *
 * @throws HardwareError in whole words
 */
export async function readModule(module: YoctoModule, signal: AbortSignal): Promise<YoctoFunctions> {
  return jsonOf(module, await ask(module, `${bySerial(module)}/api.json`, signal)) as YoctoFunctions
}

const whitePages = z.object({
  services: z.object({ whitePages: z.array(z.object({ serialNumber: z.string().min(1) })) }),
})

/** Lists the serial numbers of the modules at a hub, and its own: `GET /api.json`, the "white pages". */
export async function listModules(hub: YoctoHub, signal: AbortSignal): Promise<readonly string[]> {
  const read = whitePages.safeParse(jsonOf(hub, await ask(hub, '/api.json', signal)))
  return read.success ? read.data.services.whitePages.map(({ serialNumber }) => serialNumber) : []
}

const bySerial = ({ serial }: YoctoModule) => `/bySerial/${encodeURIComponent(serial)}`

function jsonOf(hub: YoctoHub, answer: string): object {
  try {
    const content: unknown = JSON.parse(answer)
    if (typeof content === 'object' && content !== null) return content
  } catch {
    // The error below says so.
  }
  throw new HardwareError(`What answers at ${lineName(hub)} is no Yoctopuce hub.`)
}

/** Sets one attribute of one function, as the maker's libraries do: `GET …/api/relay1/state?state=1&.`. */
export async function setAttribute(
  module: YoctoModule,
  { name, attribute, value }: { readonly name: string; readonly attribute: string; readonly value: number },
  signal: AbortSignal,
): Promise<void> {
  await ask(module, `${bySerial(module)}/api/${name}/${attribute}?${attribute}=${value}&.`, signal)
}

function ask(hub: YoctoHub & Partial<YoctoModule>, path: string, signal: AbortSignal): Promise<string> {
  const { host, port, serial = '' } = hub
  const where = lineName(hub)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const fail = (error: NodeJS.ErrnoException) => reject(new HardwareError(wordsOfFailure(where, error, signal)))
  const request = get({ host, port, path, agent: false, signal }, (answer) => {
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > LONGEST_ANSWER_BYTES) request.destroy(new Error('too long an answer'))
    })
    text(answer).then((body) => {
      if (answer.statusCode === 200) resolve(body)
      else reject(new HardwareError(refusal(where, serial, path, answer.statusCode)))
    }, fail)
  })
  request.on('error', fail)
  return promise
}

function refusal(where: string, serial: string, path: string, status = 0): string {
  const name = /\/api\/([^/]+)\//.exec(path)?.[1]
  if (status === 404) return `The hub at ${where} has no module ${serial}${name ? ` with a ${name}` : ''}.`
  if (status === 401) return `The hub at ${where} wants a password; the access "user" has to be without one.`
  return `The hub at ${where} answers with the status ${status}.`
}

/** Presses, ports and positions are unscaled whole numbers. */
export function wholeNumber(functions: YoctoFunctions, name: string, attribute: string): number | undefined {
  const value = functions[name]?.[attribute]
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

/** Returns the value in the unit of the sensor; undefined while it reports that it measures nothing. */
export function sensorValue(functions: YoctoFunctions, name: string): number | undefined {
  const state = functions[name]?.sensorState
  const value = functions[name]?.currentValue
  if (typeof value !== 'number' || (state !== undefined && state !== 0)) return undefined
  return Math.round((value / SENSOR_SCALE) * 1000) / 1000
}
