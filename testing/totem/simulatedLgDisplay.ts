import { listenOn, type SimulatedInstrument } from './simulatedInstrument.ts'

export interface LgDisplayState {
  isPowered: boolean
  isMuted: boolean
  backlight: number
  brightness: number
  hasSignal: boolean
  isLampFaulty: boolean
  isFanFaulty: boolean
  /** This model answers NG to these commands. */
  refused: readonly string[]
}

export interface SimulatedLgDisplay extends SimulatedInstrument {
  readonly state: LgDisplayState
  readonly lines: string[]
}

const hex = (value: number) => value.toString(16).padStart(2, '0')

/** Simulates a display by LG's manuals, of a model that echoes its commands. */
export async function startLgDisplay(setId = 1): Promise<SimulatedLgDisplay> {
  const state: LgDisplayState = {
    isPowered: true,
    isMuted: false,
    backlight: 80,
    brightness: 50,
    hasSignal: true,
    isLampFaulty: false,
    isFanFaulty: false,
    refused: [],
  }
  const lines: string[] = []
  const dataFor = (command: string, data: readonly number[]): string | undefined => {
    const [value = 0] = data
    const isRequested = data.at(-1) === 0xff
    if (state.refused.includes(command)) return undefined
    if (command === 'ka') {
      if (!isRequested) state.isPowered = value === 1
      return hex(Number(state.isPowered))
    }
    if (!state.isPowered) return undefined
    switch (command) {
      case 'kd':
        if (!isRequested) state.isMuted = value === 1
        return hex(Number(state.isMuted))
      case 'mg':
        if (!isRequested) state.backlight = value
        return hex(state.backlight)
      case 'kh':
        if (!isRequested) state.brightness = value
        return hex(state.brightness)
      case 'kg':
        return hex(75)
      case 'xb':
        return hex(0x90)
      case 'dn':
        return hex(43)
      case 'dl':
        return '0105'
      case 'dp':
        return hex(Number(!state.isLampFaulty))
      case 'dw':
        return hex(Number(!state.isFanFaulty))
      case 'sv':
        return `02 ${hex(Number(state.hasSignal))}`
      default:
        return undefined
    }
  }
  const instrument = await listenOn((line) => {
    let waiting = ''
    line.on('data', (bytes: Buffer) => {
      waiting += bytes.toString('latin1')
      for (let end = waiting.indexOf('\r'); end >= 0; end = waiting.indexOf('\r')) {
        const told = waiting.slice(0, end)
        waiting = waiting.slice(end + 1)
        lines.push(told)
        const [command = '', id = '', ...data] = told.split(' ')
        if (Number.parseInt(id, 16) !== setId) continue
        const said = dataFor(
          command,
          data.map((one) => Number.parseInt(one, 16)),
        )
        const answer = said === undefined ? 'NG00' : `OK${said}`
        line.write(`${told}\r\n${command.charAt(1)} ${hex(setId)} ${answer}x\r\n`)
      }
    })
  })
  return Object.assign(instrument, { state, lines })
}
