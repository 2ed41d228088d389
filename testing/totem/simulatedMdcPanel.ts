import type { Duplex } from 'node:stream'
import { listenOn, type SimulatedInstrument } from './simulatedInstrument.ts'

/** The state of the panel, which may be changed while it runs. */
export interface MdcPanelState {
  isPowered: boolean
  isPanelOn: boolean
  lamp: number
  contrast: number
  brightness: number
  /** The code of "Input Source Control". */
  source: number
  celsius: number
  hasSignal: boolean
  isLampFaulty: boolean
  isTooHot: boolean
  isFanFaulty: boolean
  /** Counts in units of ten minutes. */
  onTime: number
  refused: readonly number[]
}

export interface SimulatedMdcPanel extends SimulatedInstrument {
  readonly state: MdcPanelState
  /** The received frames in hexadecimal, oldest first. */
  readonly frames: string[]
  /** Answers on another line too. */
  readonly serve: (line: Duplex) => void
}

/** Simulates a panel by Samsung's document (Multiple Display Control Protocol, Ver. 13.7c). */
export async function startMdcPanel(displayId = 1): Promise<SimulatedMdcPanel> {
  const state: MdcPanelState = {
    isPowered: true,
    isPanelOn: true,
    lamp: 80,
    contrast: 75,
    brightness: 60,
    source: 0x21,
    celsius: 41,
    hasSignal: true,
    isLampFaulty: false,
    isTooHot: false,
    isFanFaulty: false,
    onTime: 0x0102,
    refused: [],
  }
  const frames: string[] = []

  const valuesFor = (command: number, data: Buffer): number[] | undefined => {
    const [value] = data
    if (state.refused.includes(command)) return undefined
    switch (command) {
      case 0x00:
        return [state.isPowered ? 1 : 0, 10, 0, state.source, 1, 0, 0]
      case 0x11:
        if (value !== undefined) state.isPowered = value === 1
        return [state.isPowered ? 1 : 0]
      case 0x83:
        return [state.onTime >> 8, state.onTime & 0xff]
    }
    if (!state.isPowered) return undefined
    switch (command) {
      case 0x0d:
        return [
          ...[state.isLampFaulty, state.isTooHot, false, !state.hasSignal].map(Number),
          ...[state.celsius, Number(state.isFanFaulty)],
        ]
      case 0x24:
        state.contrast = value ?? state.contrast
        return [state.contrast]
      case 0x25:
        state.brightness = value ?? state.brightness
        return [state.brightness]
      case 0x58:
        state.lamp = value ?? state.lamp
        return [state.lamp]
      case 0xf9:
        if (value !== undefined) state.isPanelOn = value === 0
        return [state.isPanelOn ? 0 : 1]
      default:
        return undefined
    }
  }

  const answer = (frame: Buffer): Buffer | undefined => {
    const [, command = 0, id] = frame
    if (id !== displayId) return undefined
    const values = valuesFor(command, frame.subarray(4, -1))
    const data = values === undefined ? [0x4e, command, 1] : [0x41, command, ...values]
    const body = [0xff, displayId, data.length, ...data]
    return Buffer.from([0xaa, ...body, body.reduce((sum, byte) => sum + byte, 0) % 256])
  }

  /** Cuts frames out of the bytes; like the panel it ignores a wrong sum. */
  const serve = (line: Duplex) => {
    let waiting = Buffer.alloc(0)
    line.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      for (;;) {
        const length = waiting[3]
        if (length === undefined || waiting.length < 5 + length) return
        const frame = waiting.subarray(0, 5 + length)
        waiting = waiting.subarray(5 + length)
        frames.push(frame.toString('hex'))
        const said = answer(frame)
        if (said) line.write(said)
      }
    })
  }
  return Object.assign(await listenOn(serve), { state, frames, serve })
}
