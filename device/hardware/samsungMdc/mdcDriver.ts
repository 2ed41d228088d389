import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { SAMSUNG_MDC } from '#domain/drivers/samsungMdcDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineName } from '../wire/line.ts'
import { lineAddressOf, lineProblem } from '../wire/lineOptions.ts'
import { withLine } from '../wire/lineTalk.ts'
import { type OpenPanel, panelInstrument } from '../wire/panelInstrument.ts'
import { MDC, mdcAnswerIn, mdcFrame, mdcSource } from './mdcFrames.ts'

type MdcOptions = OptionsOf<typeof SAMSUNG_MDC>

const SECONDS_PER_ON_TIME_UNIT = 600
const POWER = { off: 0, on: 1 } as const
const PANEL = { on: 0, off: 1 } as const
const FAULTY = 1
/** What a display without a picture says here (P2 §4). */
const NO_PICTURE = 'ARGB'

interface Registers {
  /** Undefined where this model does not know the command. */
  get(command: number): Promise<readonly number[] | undefined>
  /** @param what as in: the panel refused to set its … */
  set(command: number, value: number, what: string): Promise<void>
}

/** A panel that speaks MDC. */
function openMdc(options: MdcOptions, place: Place): Instrument {
  const address = lineAddressOf(options)
  const { displayId, backlightBy, wakeMac } = options

  const withRegisters = <Result>(signal: AbortSignal, work: (registers: Registers) => Promise<Result>) =>
    place.inTurn(lineName(address), () =>
      withLine(address, signal, (talk) => {
        const ask = (command: number, data: readonly number[] = []) =>
          talk.ask(mdcFrame(command, displayId, data), (received) => mdcAnswerIn(received, command, displayId))
        return work({
          get: async (command) => {
            const { isAcknowledged, values } = await ask(command)
            return isAcknowledged ? values : undefined
          },
          set: async (command, value, what) => {
            const { isAcknowledged, values } = await ask(command, [value])
            if (isAcknowledged) return
            throw new HardwareError(`The panel refused to set its ${what} (error ${values[0] ?? 'unknown'}).`)
          },
        })
      }),
    )

  return panelInstrument({
    what: 'A Samsung panel',
    where: lineName(address),
    wakeMac,
    refusal: ({ brightness }) =>
      brightness !== undefined && backlightBy === 'brightness'
        ? 'The brightness of this panel is its backlight; set that.'
        : undefined,
    withPanel: (signal, work) => withRegisters(signal, (registers) => work(panelOn(registers, options))),
  })
}

function panelOn({ get, set }: Registers, { backlightBy, darkBy }: MdcOptions): OpenPanel {
  const backlightCommand = backlightBy === 'lamp' ? MDC.manualLamp : MDC.brightness
  return {
    read: () => readPanel(get, backlightCommand),
    level: async () => (await get(backlightCommand))?.[0],
    setLevel: (percent) => set(backlightCommand, percent, 'backlight'),
    setBrightness: (percent) => set(MDC.brightness, percent, 'brightness'),
    light: async () => {
      const [power] = (await get(MDC.status)) ?? []
      if (power === POWER.off) return set(MDC.power, POWER.on, 'power')
      if (darkBy === 'panel') await set(MDC.panelOnOff, PANEL.on, 'light')
    },
    darken: () => (darkBy === 'power' ? set(MDC.power, POWER.off, 'power') : set(MDC.panelOnOff, PANEL.off, 'light')),
  }
}

async function readPanel(get: Registers['get'], backlightCommand: number): Promise<DisplayReading> {
  const [power, , , sourceCode] = (await get(MDC.status)) ?? []
  const onTime = (await get(MDC.panelOnTime)) ?? []
  const source = sourceCode === undefined ? undefined : mdcSource(sourceCode)
  const uptime = onTime.length === 0 ? undefined : numberOf(onTime) * SECONDS_PER_ON_TIME_UNIT
  // Without power it keeps a network alive at most, and refuses the rest.
  if (power === POWER.off) return { uptime, backlight_level: 0 }
  const [panelState] = (await get(MDC.panelOnOff)) ?? []
  const [lampLevel] = (await get(backlightCommand)) ?? []
  const [contrast] = (await get(MDC.contrast)) ?? []
  const [brightness] = backlightCommand === MDC.brightness ? [] : ((await get(MDC.brightness)) ?? [])
  const [lamp, , , sync, celsius] = (await get(MDC.displayStatus)) ?? []
  return {
    uptime,
    source,
    backlight_level: panelState === PANEL.off || lamp === FAULTY ? 0 : lampLevel,
    contrast,
    brightness,
    internal_temp: celsius,
    // It says nothing of pictures that it makes itself, which are there while it runs.
    out_of_order_status: sync === FAULTY ? NO_PICTURE : sync === undefined ? undefined : source,
    source_search_status: sync === FAULTY ? 'No signal' : undefined,
  }
}

/** Newer models answer with more bytes. */
const numberOf = (bytes: readonly number[]) => bytes.reduce((number, byte) => number * 256 + byte, 0)

export const samsungMdcDriver = driver(SAMSUNG_MDC, {
  problem: (options) => lineProblem(options),
  open: openMdc,
})
