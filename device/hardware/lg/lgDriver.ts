import { NO_FAULT } from '#domain/catalogue/faults.ts'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { LG } from '#domain/drivers/lgDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineProblem } from '../wire/lineOptions.ts'
import type { LineTalk } from '../wire/lineTalk.ts'
import { panelCandidates } from '../wire/panelCandidates.ts'
import type { OpenPanel } from '../wire/panelInstrument.ts'
import { lightBy, numberOfBytes, panelOnLine, pictureOf } from '../wire/panelOnLine.ts'
import { ASK, ASK_SIGNAL, LG_COMMANDS, type LgCommand, lgAnswerIn, lgInput, lgLine } from './lgFrames.ts'

type LgOptions = OptionsOf<typeof LG>

const SECONDS_PER_HOUR = 3600
const POWER = { off: 0, on: 1 } as const
const PICTURE = { shown: 0, hidden: 1 } as const
const NO_SIGNAL = 0
/** States of lamp and fan; 2 means that the display cannot tell. */
const FAULT = { faulty: 0, fine: 1 } as const

interface Lines {
  /** Undefined when this model answers NG, as most do while they are off. */
  get(command: LgCommand, data?: readonly number[]): Promise<readonly number[] | undefined>
  /** @param what ends the sentence "The display refused to set its …" */
  set(command: LgCommand, value: number, what: string): Promise<void>
}

function linesOn(talk: LineTalk, setId: number): Lines {
  const ask = (command: LgCommand, data: readonly number[]) =>
    talk.ask(lgLine(command, setId, data), (received) => lgAnswerIn(received, command, setId))
  return {
    get: async (command, data = ASK) => {
      const { isTaken, data: said } = await ask(command, data)
      return isTaken ? said : undefined
    },
    set: async (command, value, what) => {
      const { isTaken } = await ask(command, [value])
      if (!isTaken) throw new HardwareError(`The display refused to set its ${what}.`)
    },
  }
}

function openLg(options: LgOptions, place: Place): Instrument {
  return panelOnLine({
    what: 'An LG display',
    options,
    place,
    panelOn: (talk) => panelOn(linesOn(talk, options.setId), options),
  })
}

function panelOn({ get, set }: Lines, { darkBy }: LgOptions): OpenPanel {
  return {
    read: () => readDisplay(get),
    level: async () => (await get(LG_COMMANDS.backlight))?.[0],
    setLevel: (percent) => set(LG_COMMANDS.backlight, percent, 'backlight'),
    setBrightness: (percent) => set(LG_COMMANDS.brightness, percent, 'brightness'),
    ...lightBy(darkBy, {
      isPowered: async () => ((await get(LG_COMMANDS.power))?.[0] ?? POWER.on) !== POWER.off,
      power: (isOn) => set(LG_COMMANDS.power, isOn ? POWER.on : POWER.off, 'power'),
      shine: (isOn) => set(LG_COMMANDS.screenMute, isOn ? PICTURE.shown : PICTURE.hidden, 'picture'),
    }),
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
  const hours = numberOfBytes((await get(LG_COMMANDS.elapsedHours)) ?? [])
  const [lamp] = (await get(LG_COMMANDS.lamp)) ?? []
  const [fan] = (await get(LG_COMMANDS.fan)) ?? []
  const source = input === undefined ? undefined : lgInput(input)
  return {
    source,
    // Nobody knows how much light a faulty lamp still gives.
    backlight_level: mute === PICTURE.hidden ? 0 : lamp === FAULT.faulty ? undefined : level,
    lamp_fault: lamp === FAULT.faulty ? 1 : lamp === FAULT.fine ? 0 : undefined,
    diagnosis: fan === FAULT.faulty ? 'fan' : fan === FAULT.fine ? NO_FAULT : undefined,
    contrast,
    brightness,
    internal_temp: celsius,
    uptime: hours === undefined ? undefined : hours * SECONDS_PER_HOUR,
    ...pictureOf(signal === undefined ? undefined : signal !== NO_SIGNAL, source),
  }
}

export const lgDriver = driver(LG, {
  problem: (options) => lineProblem(options),
  open: openLg,
  probe: panelCandidates(9761),
})
