import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { LG } from '#domain/drivers/lgDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineName } from '../wire/line.ts'
import { lineAddressOf, lineProblem } from '../wire/lineOptions.ts'
import { withLine } from '../wire/lineTalk.ts'
import { type OpenPanel, panelInstrument } from '../wire/panelInstrument.ts'
import { ASK, ASK_SIGNAL, LG_COMMANDS, type LgCommand, lgAnswerIn, lgInput, lgLine } from './lgFrames.ts'

type LgOptions = OptionsOf<typeof LG>

const SECONDS_PER_HOUR = 3600
const POWER = { off: 0, on: 1 } as const
const PICTURE = { shown: 0, hidden: 1 } as const
const NO_SIGNAL = 0
/** What a display without a picture says here (P2 §4). */
const NO_PICTURE = 'ARGB'

interface Lines {
  /** Undefined where this model says NG, as it does to most while it is off. */
  get(command: LgCommand, data?: readonly number[]): Promise<readonly number[] | undefined>
  /** @param what as in: the display refused to set its … */
  set(command: LgCommand, value: number, what: string): Promise<void>
}

function openLg(options: LgOptions, place: Place): Instrument {
  const address = lineAddressOf(options)
  const { setId, wakeMac } = options

  const withLines = <Result>(signal: AbortSignal, work: (lines: Lines) => Promise<Result>) =>
    place.inTurn(lineName(address), () =>
      withLine(address, signal, (talk) => {
        const ask = (command: LgCommand, data: readonly number[]) =>
          talk.ask(lgLine(command, setId, data), (received) => lgAnswerIn(received, command, setId))
        return work({
          get: async (command, data = ASK) => {
            const { isTaken, data: said } = await ask(command, data)
            return isTaken ? said : undefined
          },
          set: async (command, value, what) => {
            const { isTaken } = await ask(command, [value])
            if (!isTaken) throw new HardwareError(`The display refused to set its ${what}.`)
          },
        })
      }),
    )

  return panelInstrument({
    what: 'An LG display',
    where: lineName(address),
    wakeMac,
    withPanel: (signal, work) => withLines(signal, (lines) => work(panelOn(lines, options))),
  })
}

function panelOn({ get, set }: Lines, { darkBy }: LgOptions): OpenPanel {
  return {
    read: () => readDisplay(get),
    level: async () => (await get(LG_COMMANDS.backlight))?.[0],
    setLevel: (percent) => set(LG_COMMANDS.backlight, percent, 'backlight'),
    setBrightness: (percent) => set(LG_COMMANDS.brightness, percent, 'brightness'),
    light: async () => {
      const [power] = (await get(LG_COMMANDS.power)) ?? []
      if (power === POWER.off) return set(LG_COMMANDS.power, POWER.on, 'power')
      if (darkBy === 'panel') await set(LG_COMMANDS.screenMute, PICTURE.shown, 'picture')
    },
    darken: () =>
      darkBy === 'power'
        ? set(LG_COMMANDS.power, POWER.off, 'power')
        : set(LG_COMMANDS.screenMute, PICTURE.hidden, 'picture'),
  }
}

async function readDisplay(get: Lines['get']): Promise<DisplayReading> {
  const [power] = (await get(LG_COMMANDS.power)) ?? []
  if (power === POWER.off) return { backlight_level: 0 }
  const [mute] = (await get(LG_COMMANDS.screenMute)) ?? []
  const [level] = (await get(LG_COMMANDS.backlight)) ?? []
  const [contrast] = (await get(LG_COMMANDS.contrast)) ?? []
  const [brightness] = (await get(LG_COMMANDS.brightness)) ?? []
  const [input] = (await get(LG_COMMANDS.input)) ?? []
  const [celsius] = (await get(LG_COMMANDS.temperature)) ?? []
  const [, signal] = (await get(LG_COMMANDS.signal, ASK_SIGNAL)) ?? []
  const hours = (await get(LG_COMMANDS.elapsedHours)) ?? []
  const source = input === undefined ? undefined : lgInput(input)
  return {
    source,
    backlight_level: mute === PICTURE.hidden ? 0 : level,
    contrast,
    brightness,
    internal_temp: celsius,
    uptime: hours.length === 0 ? undefined : hours.reduce((sum, byte) => sum * 256 + byte, 0) * SECONDS_PER_HOUR,
    out_of_order_status: signal === NO_SIGNAL ? NO_PICTURE : signal === undefined ? undefined : source,
    source_search_status: signal === NO_SIGNAL ? 'No signal' : undefined,
  }
}

export const lgDriver = driver(LG, { problem: (options) => lineProblem(options), open: openLg })
