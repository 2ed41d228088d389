import type { Duplex } from 'node:stream'
import { listenOn, type SimulatedInstrument } from './simulatedInstrument.ts'

export interface PhilipsDisplayState {
  isPowered: boolean
  isLit: boolean
  /** Brightness, colour, contrast, sharpness, tint, black level, gamma. */
  video: readonly number[]
  source: number
  temperatures: readonly number[]
  hours: number
  hasSignal: boolean
  /** This model answers "not available" to these commands. */
  unavailable: readonly number[]
}

export interface SimulatedPhilipsDisplay extends SimulatedInstrument {
  readonly state: PhilipsDisplayState
  /** The received frames in hexadecimal, oldest first. */
  readonly frames: string[]
}

const [DONE, NOT_AVAILABLE, NOT_UNDERSTOOD] = [0x06, 0x18, 0x15]

/** Simulates a display by "The SICP Commands Document", independently of our driver. */
export async function startPhilipsDisplay({
  monitorId = 1,
  hasGroups = true,
  repeatsWhichHours = false,
}: {
  readonly monitorId?: number
  readonly hasGroups?: boolean
  readonly repeatsWhichHours?: boolean
} = {}): Promise<SimulatedPhilipsDisplay> {
  const state: PhilipsDisplayState = {
    isPowered: true,
    isLit: true,
    video: [80, 50, 45, 5, 50, 50, 3],
    source: 0x0d,
    temperatures: [44, 39],
    hours: 0x0102,
    hasSignal: true,
    unavailable: [],
  }
  const frames: string[] = []

  /** Returns the data of a report, or a verdict. */
  const reply = (command: number, data: readonly number[]): readonly number[] | number => {
    const [value = 0] = data
    if (state.unavailable.includes(command)) return NOT_AVAILABLE
    if (command === 0x19) return [state.isPowered ? 2 : 1]
    if (command === 0x0f) return [...(repeatsWhichHours ? [2] : []), state.hours >> 8, state.hours & 0xff]
    if (command === 0x18) {
      state.isPowered = value === 2
      return DONE
    }
    if (!state.isPowered) return NOT_AVAILABLE
    switch (command) {
      case 0x2f:
        return state.temperatures
      case 0x32:
        if (data.length !== 7) return NOT_UNDERSTOOD
        state.video = data
        return DONE
      case 0x33:
        return state.video
      case 0x59:
        return [Number(state.hasSignal)]
      case 0x71:
        return [state.isLit ? 0 : 1]
      case 0x72:
        state.isLit = value === 0
        return DONE
      case 0xad:
        return [state.source, state.source, 1, 0]
      default:
        return NOT_AVAILABLE
    }
  }

  const head = hasGroups ? 3 : 2
  const serve = (line: Duplex) => {
    let waiting = Buffer.alloc(0)
    line.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      for (;;) {
        const [length] = waiting
        if (length === undefined || waiting.length < length) return
        const frame = waiting.subarray(0, length)
        waiting = waiting.subarray(length)
        frames.push(frame.toString('hex'))
        const isWhole = frame.reduce((sum, byte) => sum ^ byte, 0) === 0
        if (frame[1] !== monitorId) continue
        const [command = 0, ...data] = frame.subarray(head, -1)
        const said = isWhole ? reply(command, data) : NOT_UNDERSTOOD
        const told = typeof said === 'number' ? [0, said] : [command, ...said]
        // Displays report a group of their own here.
        const body = [head + told.length + 1, monitorId, ...(hasGroups ? [1] : []), ...told]
        line.write(Buffer.from([...body, body.reduce((sum, byte) => sum ^ byte, 0)]))
      }
    })
  }
  return Object.assign(await listenOn(serve), { state, frames })
}
