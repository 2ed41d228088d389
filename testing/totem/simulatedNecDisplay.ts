import type { Duplex } from 'node:stream'
import { listenOn, type SimulatedInstrument } from './simulatedInstrument.ts'

export interface NecDisplayState {
  /** 1 on, 2 standby, 3 suspended, 4 off. */
  power: number
  /** Values by operation, as NEC writes it. */
  readonly values: Map<string, number>
  /** Half degrees, by sensor. */
  temperatures: readonly number[]
  diagnosis: string
  unsupported: readonly string[]
}

export interface SimulatedNecDisplay extends SimulatedInstrument {
  readonly state: NecDisplayState
  /** The received messages without their frame: the letter of the kind and the data. */
  readonly messages: string[]
}

const hex = (value: number, digits: number) => (value & 0xffff).toString(16).toUpperCase().padStart(digits, '0')

function frame(monitorId: number, kind: string, data: string): Buffer {
  const body = Buffer.from(
    `00${String.fromCharCode(0x40 + monitorId)}${kind}${hex(data.length + 2, 2)}\x02${data}\x03`,
    'latin1',
  )
  const check = body.reduce((sum, byte) => sum ^ byte, 0)
  return Buffer.concat([Buffer.of(0x01), body, Buffer.of(check, 0x0d)])
}

/** Simulates a display by NEC's "External Control" manual; it ignores a wrong check code. */
export async function startNecDisplay(monitorId = 1): Promise<SimulatedNecDisplay> {
  const state: NecDisplayState = {
    power: 1,
    values: new Map([
      ['0010', 80],
      ['0012', 50],
      ['0060', 17],
      ['0092', 45],
      ['00FF', 2468],
      ['0278', 1],
      ['10B6', 2],
    ]),
    temperatures: [83, -5, 60],
    diagnosis: '00',
    unsupported: ['11FE', '11FF'],
  }
  const messages: string[] = []

  const command = (data: string): string => {
    if (data === '01D6') return `0200D6000004${hex(state.power, 4)}`
    const [, power] = /^C203D6(000[1-4])$/.exec(data) ?? []
    if (power !== undefined) {
      state.power = Number(power)
      return `00${data}`
    }
    return data === 'B1' && state.power === 1 ? `A1${state.diagnosis}` : 'BE'
  }
  const parameter = (operation: string, value?: number): string => {
    const isKnown = !state.unsupported.includes(operation)
    if (isKnown && value !== undefined) state.values.set(operation, value)
    const told =
      operation === '0279'
        ? state.temperatures[(state.values.get('0278') ?? 1) - 1]
        : isKnown
          ? state.values.get(operation)
          : undefined
    return `${told === undefined ? '01' : '00'}${operation}00${hex(operation === '0278' ? state.temperatures.length : 100, 4)}${hex(told ?? 0, 4)}`
  }
  const answer = (kind: string, data: string): Buffer | undefined => {
    if (kind === 'A') return frame(monitorId, 'B', command(data))
    if (state.power !== 1) return frame(monitorId, 'B', 'BE')
    if (kind === 'C') return frame(monitorId, 'D', parameter(data))
    if (kind === 'E') return frame(monitorId, 'F', parameter(data.slice(0, 4), Number.parseInt(data.slice(4), 16)))
    return undefined
  }

  const serve = (line: Duplex) => {
    let waiting = Buffer.alloc(0)
    line.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      for (let end = waiting.indexOf(0x0d); end >= 0; end = waiting.indexOf(0x0d)) {
        const message = waiting.subarray(0, end)
        waiting = waiting.subarray(end + 1)
        const isWhole = message[0] === 1 && message.subarray(1).reduce((sum, byte) => sum ^ byte, 0) === 0
        const text = message.toString('latin1')
        if (!isWhole || text.charAt(2) !== String.fromCharCode(0x40 + monitorId)) continue
        const [kind, data] = [text.charAt(4), text.slice(8, -2)]
        messages.push(kind + data)
        const said = answer(kind, data)
        if (said) line.write(said)
      }
    })
  }
  return Object.assign(await listenOn(serve), { state, messages })
}
