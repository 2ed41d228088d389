import { WLR_RANDR, XRANDR } from '#domain/drivers/outputDescriptions.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { createLocalProgram } from '../exec/localProgram.ts'
import { HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { pictureOf } from '../wire/panelOnLine.ts'
import { type OutputSeen, wlrRandrOutput, xrandrOutput } from './outputSeen.ts'

const READ_ENDS_AFTER_MS = 3000
const SET_ENDS_AFTER_MS = 6000

interface OutputDeps {
  readonly output: string
  readonly program: string
  readonly environment: Readonly<Record<string, string>>
  readonly place: Place
  /** The arguments that print the state, switch the output on, and off. */
  readonly words: Readonly<Record<'query' | 'on' | 'off', readonly string[]>>
  readonly seenIn: (printed: string, output: string) => OutputSeen | undefined
}

/** The output of the computer knows whether a display is plugged in, and whether it sends a picture. */
function outputInstrument({ output, program, environment, place, words, seenIn }: OutputDeps): Instrument {
  const name = `The program of display ${place.number}`
  const local = createLocalProgram({ program, name, log: place.log, environment })
  const look = async (signal: AbortSignal): Promise<OutputSeen> => {
    const seen = seenIn(await local.run(words.query, READ_ENDS_AFTER_MS, signal), output)
    if (!seen) throw new HardwareError(`The computer has no output ${output}.`)
    return seen
  }
  const told = (how: 'on' | 'off') => async () => {
    await local.run(words[how], SET_ENDS_AFTER_MS)
  }
  return {
    read: async (signal) => ({ values: readingOf(await look(signal), output) }),
    test: async (signal) => {
      const { isConnected, isOn, resolution = 'an unknown resolution' } = await look(signal)
      if (!isConnected) throw new HardwareError(`Nothing is plugged into ${output} of the computer.`)
      return isOn
        ? `Output ${output} sends ${resolution}.`
        : `Output ${output} is switched off; a display is plugged in.`
    },
    commands: { display: { switchOn: told('on'), switchOff: told('off') } },
    close: () => local.close(),
  }
}

/** The reading says nothing about the light, because a panel without a picture may be lit. */
function readingOf({ isConnected, isOn, resolution }: OutputSeen, output: string): DisplayReading {
  const source = resolution === undefined ? output : `${output} ${resolution}`
  const picture = pictureOf(isConnected && isOn, source)
  if (isConnected && isOn) return { source, ...picture }
  return { ...picture, source_search_status: isConnected ? 'Output switched off' : 'Nothing plugged in' }
}

export const xrandrDriver = driver(XRANDR, {
  open: ({ output, display, authority, program }, place) =>
    outputInstrument({
      ...{ output, program, place, seenIn: xrandrOutput },
      environment: { DISPLAY: display, ...(authority !== undefined && { XAUTHORITY: authority }) },
      words: {
        query: ['--query'],
        on: ['--output', output, '--auto'],
        off: ['--output', output, '--off'],
      },
    }),
})

export const wlrRandrDriver = driver(WLR_RANDR, {
  open: ({ output, socket, program }, place) =>
    outputInstrument({
      ...{ output, program, place, seenIn: wlrRandrOutput },
      environment: { WAYLAND_DISPLAY: socket },
      words: { query: [], on: ['--output', output, '--on'], off: ['--output', output, '--off'] },
    }),
})
