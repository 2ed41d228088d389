import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { SAMSUNG_MDC } from '#domain/drivers/samsungMdcDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { type DisplaySettings, HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineName } from '../wire/line.ts'
import { lineAddressOf, lineProblem } from '../wire/lineOptions.ts'
import { withLine } from '../wire/lineTalk.ts'
import { wakeByNetwork } from '../wire/wakeByNetwork.ts'
import { MDC, mdcAnswerIn, mdcFrame, mdcSource } from './mdcFrames.ts'

type MdcOptions = OptionsOf<typeof SAMSUNG_MDC>

const COMMAND_ENDS_AFTER_MS = 8000
const SECONDS_PER_ON_TIME_UNIT = 600
const POWER = { off: 0, on: 1 } as const
const PANEL = { on: 0, off: 1 } as const
const FAULTY = 1
/** What a display without a picture says here (P2 §4). */
const NO_PICTURE = 'ARGB'

const UNSETTABLE = {
  gammaValue: 'gamma',
  touchScreenStatus: 'touch screen',
  redColorBalance: 'red colour balance',
  greenColorBalance: 'green colour balance',
  blueColorBalance: 'blue colour balance',
} as const satisfies Partial<Record<keyof DisplaySettings, string>>

/** The panel while the line is open. */
interface Panel {
  /** Undefined where this model does not know the command. */
  get(command: number): Promise<readonly number[] | undefined>
  /** @param what as in: the panel refused to set its … */
  set(command: number, value: number, what: string): Promise<void>
}

/**
 * A panel that speaks MDC. Level 0 is the lowest lamp and no light: the lamp alone gives some at 0. So the panel itself knows
 * whether it is dark by its level, whoever starts anew.
 */
function openMdc(options: MdcOptions, place: Place): Instrument {
  const address = lineAddressOf(options)
  const { displayId, darkBy, wakeMac } = options
  const backlightCommand = options.backlightBy === 'lamp' ? MDC.manualLamp : MDC.brightness
  let isSwitchedOff = false

  const withPanel = <Result>(signal: AbortSignal, work: (panel: Panel) => Promise<Result>): Promise<Result> =>
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

  const command = (work: (panel: Panel) => Promise<void>) => withPanel(AbortSignal.timeout(COMMAND_ENDS_AFTER_MS), work)

  const isPowered = async (panel: Panel) => (await panel.get(MDC.status))?.[0] !== POWER.off

  const light = async (panel: Panel): Promise<void> => {
    if (!(await isPowered(panel))) return panel.set(MDC.power, POWER.on, 'power')
    if (darkBy === 'panel') await panel.set(MDC.panelOnOff, PANEL.on, 'light')
  }

  const darken = (panel: Panel): Promise<void> =>
    darkBy === 'power' ? panel.set(MDC.power, POWER.off, 'power') : panel.set(MDC.panelOnOff, PANEL.off, 'light')

  const setBacklight = async (panel: Panel, percent: number): Promise<void> => {
    const level = Math.round(percent)
    await panel.set(backlightCommand, level, 'backlight')
    if (level === 0) await darken(panel)
    else if (!isSwitchedOff) await light(panel)
  }

  return {
    read: async (signal) => {
      try {
        return { values: await withPanel(signal, (panel) => readPanel(panel, backlightCommand)) }
      } catch (error) {
        // Nothing is known of one that sleeps, and yet it is there to be woken.
        if (wakeMac !== undefined && error instanceof HardwareError) return { values: {} }
        throw error
      }
    },
    test: (signal) =>
      withPanel(signal, async (panel) => {
        const { backlight_level: level, source } = await readPanel(panel, backlightCommand)
        const lit = level === undefined ? 'says no backlight' : `backlight ${level} %`
        return `A Samsung panel answers at ${lineName(address)}: ${lit}, source ${source ?? 'unknown'}.`
      }),
    commands: {
      display: {
        apply: async (settings) => {
          refuseUnsettable(settings, options)
          const { brightness, backlightLevel } = settings
          await command(async (panel) => {
            if (brightness !== undefined) await panel.set(MDC.brightness, Math.round(brightness), 'brightness')
            if (backlightLevel !== undefined) await setBacklight(panel, backlightLevel)
          })
        },
        setBacklight: (percent) => command((panel) => setBacklight(panel, percent)),
        switchOff: async () => {
          await command(darken)
          isSwitchedOff = true
        },
        switchOn: async () => {
          if (wakeMac !== undefined) await wakeByNetwork(wakeMac)
          await command(async (panel) => {
            const [level] = (await panel.get(backlightCommand)) ?? []
            if (level !== 0) await light(panel)
          })
          isSwitchedOff = false
        },
      },
    },
  }
}

async function readPanel(panel: Panel, backlightCommand: number): Promise<DisplayReading> {
  const [power, , , sourceCode] = (await panel.get(MDC.status)) ?? []
  const onTime = (await panel.get(MDC.panelOnTime)) ?? []
  const source = sourceCode === undefined ? undefined : mdcSource(sourceCode)
  const uptime = onTime.length === 0 ? undefined : numberOf(onTime) * SECONDS_PER_ON_TIME_UNIT
  // Without power it keeps a network alive at most, and refuses the rest.
  if (power === POWER.off) return { uptime, backlight_level: 0 }
  const [panelState] = (await panel.get(MDC.panelOnOff)) ?? []
  const [lampLevel] = (await panel.get(backlightCommand)) ?? []
  const [contrast] = (await panel.get(MDC.contrast)) ?? []
  const [brightness] = backlightCommand === MDC.brightness ? [] : ((await panel.get(MDC.brightness)) ?? [])
  const [lamp, , , sync, celsius] = (await panel.get(MDC.displayStatus)) ?? []
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

/** Before anything is set, so that nothing is half done. */
function refuseUnsettable(settings: DisplaySettings, { backlightBy }: MdcOptions): void {
  const asked = Object.entries(UNSETTABLE).filter(([name]) => settings[name as keyof DisplaySettings] !== undefined)
  if (asked.length > 0) {
    throw new HardwareError(`This panel cannot set its ${asked.map(([, words]) => words).join(', ')}.`)
  }
  if (settings.brightness !== undefined && backlightBy === 'brightness') {
    throw new HardwareError('The brightness of this panel is its backlight; set that.')
  }
}

export const samsungMdcDriver = driver(SAMSUNG_MDC, {
  problem: (options) => lineProblem(options),
  open: openMdc,
})
