import type { Instrument } from '../driver.ts'
import { type DisplaySettings, HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { wakeByNetwork } from './wakeByNetwork.ts'

const COMMAND_ENDS_AFTER_MS = 8000

const UNSETTABLE = {
  gammaValue: 'gamma',
  touchScreenStatus: 'touch screen',
  redColorBalance: 'red colour balance',
  greenColorBalance: 'green colour balance',
  blueColorBalance: 'blue colour balance',
} as const satisfies Partial<Record<keyof DisplaySettings, string>>

/** A panel while its line is open. Commands that it refuses throw `HardwareError`. */
export interface OpenPanel {
  read(): Promise<DisplayReading>
  /** Returns the level that it keeps, lit or dark; undefined if it does not report one. */
  level(): Promise<number | undefined>
  setLevel(percent: number): Promise<void>
  setBrightness(percent: number): Promise<void>
  /** Switches power and light on, at the level that it keeps. */
  light(): Promise<void>
  darken(): Promise<void>
}

interface PanelDeps {
  /** Begins the sentence "A Samsung panel answers at …". */
  readonly what: string
  readonly where: string
  /** Set for a panel whose network sleeps while it is off. */
  readonly wakeMac: string | undefined
  /** Returns why these settings are impossible, beside those that no such panel has. */
  readonly refusal?: (settings: DisplaySettings) => string | undefined
  readonly withPanel: <Result>(signal: AbortSignal, work: (panel: OpenPanel) => Promise<Result>) => Promise<Result>
}

/**
 * A display that uses what its panel can do. Level 0 means no light and the lowest level, because a lamp alone gives
 * some light at 0; so the panel's level shows that it is dark even after a restart of either.
 */
export function panelInstrument({ what, where, wakeMac, refusal, withPanel }: PanelDeps): Instrument {
  let isSwitchedOff = false
  const command = (work: (panel: OpenPanel) => Promise<void>) =>
    withPanel(AbortSignal.timeout(COMMAND_ENDS_AFTER_MS), work)

  const setBacklight = async (panel: OpenPanel, percent: number): Promise<void> => {
    const level = Math.round(percent)
    // The light goes first, because a panel without power accepts no level.
    if (level > 0 && !isSwitchedOff) await panel.light()
    await panel.setLevel(level)
    if (level === 0) await panel.darken()
  }

  return {
    read: async (signal) => {
      try {
        return { values: await withPanel(signal, (panel) => panel.read()) }
      } catch (error) {
        // Nothing is known about a sleeping panel, but it can be woken.
        if (wakeMac !== undefined && error instanceof HardwareError) return { values: {} }
        throw error
      }
    },
    test: (signal) =>
      withPanel(signal, async (panel) => {
        const { backlight_level: level, source } = await panel.read()
        const lit = level === undefined ? 'says no backlight' : `backlight ${level} %`
        return `${what} answers at ${where}: ${lit}, source ${source ?? 'unknown'}.`
      }),
    commands: {
      display: {
        apply: async (settings) => {
          refuse(refusalOf(settings) ?? refusal?.(settings))
          const { brightness, backlightLevel } = settings
          await command(async (panel) => {
            if (brightness !== undefined) await panel.setBrightness(Math.round(brightness))
            if (backlightLevel !== undefined) await setBacklight(panel, backlightLevel)
          })
        },
        setBacklight: (percent) => command((panel) => setBacklight(panel, percent)),
        switchOff: async () => {
          await command((panel) => panel.darken())
          isSwitchedOff = true
        },
        switchOn: async () => {
          if (wakeMac !== undefined) await wake(wakeMac)
          await command(async (panel) => {
            if ((await panel.level()) !== 0) await panel.light()
          })
          isSwitchedOff = false
        },
      },
    },
  }
}

async function wake(mac: string): Promise<void> {
  await wakeByNetwork(mac).catch((error: Error) => {
    throw new HardwareError(`The panel could not be woken by the network (${error.message}).`)
  })
}

/** Runs before anything is set, so that nothing is half done. */
function refuse(why: string | undefined): void {
  if (why !== undefined) throw new HardwareError(why)
}

function refusalOf(settings: DisplaySettings): string | undefined {
  const asked = Object.entries(UNSETTABLE).filter(([name]) => settings[name as keyof DisplaySettings] !== undefined)
  return asked.length === 0 ? undefined : `This panel cannot set its ${asked.map(([, words]) => words).join(', ')}.`
}
