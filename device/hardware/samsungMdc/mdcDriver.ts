import { faultLabel } from '#domain/catalogue/faults.ts'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { SAMSUNG_MDC } from '#domain/drivers/samsungMdcDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineProblem } from '../wire/lineOptions.ts'
import type { LineTalk } from '../wire/lineTalk.ts'
import { panelCandidates } from '../wire/panelCandidates.ts'
import type { OpenPanel } from '../wire/panelInstrument.ts'
import { lightBy, numberOfBytes, panelOnLine, pictureOf } from '../wire/panelOnLine.ts'
import { MDC, mdcAnswerIn, mdcFrame, mdcSource } from './mdcFrames.ts'

type MdcOptions = OptionsOf<typeof SAMSUNG_MDC>

const SECONDS_PER_ON_TIME_UNIT = 600
const POWER = { off: 0, on: 1 } as const
const PANEL = { on: 0, off: 1 } as const
const FAULTY = 1
/** The positions in the answer to `displayStatus` that report faults other than lamp and signal. */
const DIAGNOSES = [
  [1, 'too hot'],
  [2, 'brightness sensor'],
  [5, 'fan'],
] as const

interface Registers {
  /** Undefined if this model does not know the command. */
  get(command: number): Promise<readonly number[] | undefined>
  /** @param what ends the sentence "The panel refused to set its …" */
  set(command: number, value: number, what: string): Promise<void>
}

function registersOn(talk: LineTalk, displayId: number): Registers {
  const ask = (command: number, data: readonly number[] = []) =>
    talk.ask(mdcFrame(command, displayId, data), (received) => mdcAnswerIn(received, command, displayId))
  return {
    get: async (command) => {
      const { isAcknowledged, values } = await ask(command)
      return isAcknowledged ? values : undefined
    },
    set: async (command, value, what) => {
      const { isAcknowledged, values } = await ask(command, [value])
      if (isAcknowledged) return
      throw new HardwareError(`The panel refused to set its ${what} (error ${values[0] ?? 'unknown'}).`)
    },
  }
}

function openMdc(options: MdcOptions, place: Place): Instrument {
  return panelOnLine({
    what: 'A Samsung panel',
    options,
    place,
    refusal: ({ brightness }) =>
      brightness !== undefined && options.backlightBy === 'brightness'
        ? 'The brightness of this panel is its backlight; set that.'
        : undefined,
    panelOn: (talk) => panelOn(registersOn(talk, options.displayId), options),
  })
}

function panelOn({ get, set }: Registers, { backlightBy, darkBy }: MdcOptions): OpenPanel {
  const backlightCommand = backlightBy === 'lamp' ? MDC.manualLamp : MDC.brightness
  return {
    read: () => readPanel(get, backlightCommand),
    level: async () => (await get(backlightCommand))?.[0],
    setLevel: (percent) => set(backlightCommand, percent, 'backlight'),
    setBrightness: (percent) => set(MDC.brightness, percent, 'brightness'),
    ...lightBy(darkBy, {
      isPowered: async () => ((await get(MDC.status))?.[0] ?? POWER.on) !== POWER.off,
      power: (isOn) => set(MDC.power, isOn ? POWER.on : POWER.off, 'power'),
      shine: (isOn) => set(MDC.panelOnOff, isOn ? PANEL.on : PANEL.off, 'light'),
    }),
  }
}

async function readPanel(get: Registers['get'], backlightCommand: number): Promise<DisplayReading> {
  const [power, , , sourceCode] = (await get(MDC.status)) ?? []
  // Newer models report it with more bytes.
  const onTime = numberOfBytes((await get(MDC.panelOnTime)) ?? [])
  const source = sourceCode === undefined ? undefined : mdcSource(sourceCode)
  const uptime = onTime === undefined ? undefined : onTime * SECONDS_PER_ON_TIME_UNIT
  // A panel that is off at most keeps its network alive, and refuses everything else.
  if (power === POWER.off) return { uptime, backlight_level: 0 }
  const [panelState] = (await get(MDC.panelOnOff)) ?? []
  const [lampLevel] = (await get(backlightCommand)) ?? []
  const [contrast] = (await get(MDC.contrast)) ?? []
  const [brightness] = backlightCommand === MDC.brightness ? [] : ((await get(MDC.brightness)) ?? [])
  const status = await get(MDC.displayStatus)
  const [lamp, , , sync, celsius] = status ?? []
  return {
    uptime,
    source,
    backlight_level: panelState === PANEL.off || lamp === FAULTY ? 0 : lampLevel,
    contrast,
    brightness,
    internal_temp: celsius,
    lamp_fault: lamp === undefined ? undefined : Number(lamp === FAULTY),
    diagnosis: status && faultLabel(DIAGNOSES.flatMap(([place, words]) => (status[place] === FAULTY ? [words] : []))),
    ...pictureOf(sync === undefined ? undefined : sync !== FAULTY, source),
  }
}

export const samsungMdcDriver = driver(SAMSUNG_MDC, {
  problem: (options) => lineProblem(options),
  open: openMdc,
  probe: panelCandidates(1515),
})
