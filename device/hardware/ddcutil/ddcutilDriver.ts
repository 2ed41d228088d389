import { existsSync } from 'node:fs'
import { DDCUTIL } from '#domain/drivers/ddcutilDescription.ts'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import {
  type Candidate,
  type DriverReading,
  driver,
  type Instrument,
  type Place,
  type Surroundings,
} from '../driver.ts'
import { createLocalProgram } from '../exec/localProgram.ts'
import { type DisplaySettings, HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'

type DdcutilOptions = OptionsOf<typeof DDCUTIL>

const READ_ENDS_AFTER_MS = 1200
const SET_ENDS_AFTER_MS = 3000

/** Codes of features in the MCCS standard (VESA), and the values of `D6`. */
const LUMINANCE = '10'
const SOURCE = '60'
const POWER = 'D6'
const POWER_VALUES = { on: '1', standby: '2', off: '4' } as const
const GAINS = [
  ['redColorBalance', '16'],
  ['greenColorBalance', '18'],
  ['blueColorBalance', '1A'],
] as const
const SOURCES: ReadonlyMap<number, string> = new Map([
  [0x01, 'VGA 1'],
  [0x03, 'DVI 1'],
  [0x04, 'DVI 2'],
  [0x0f, 'DisplayPort 1'],
  [0x10, 'DisplayPort 2'],
  [0x11, 'HDMI 1'],
  [0x12, 'HDMI 2'],
])

interface Feature {
  readonly value: number
  /** Only continuous features have a maximum. */
  readonly maximum: number | undefined
}

/** Reads a line of `getvcp --terse`: `VCP 10 C 50 100`, `VCP D6 SNC x01`. Undefined if the feature is missing. */
function featureFrom(output: string): Feature | undefined {
  const [, value, maximum, hex] = /^VCP [0-9A-F]{2} (?:C (\d+) (\d+)|SNC x([0-9a-f]{2}))\s*$/m.exec(output) ?? []
  if (value !== undefined) return { value: Number(value), maximum: Number(maximum) }
  return hex === undefined ? undefined : { value: Number.parseInt(hex, 16), maximum: undefined }
}

const percentOf = ({ value, maximum }: Feature) => (maximum ? Math.round((1000 * value) / maximum) / 10 : undefined)

function readingOf(
  power: Feature | undefined,
  light: Feature | undefined,
  source: Feature | undefined,
): DisplayReading {
  // The display gives no light in standby and off, whatever level it will have later.
  const isDark = power !== undefined && power.value !== 1
  return {
    backlight_level: isDark ? 0 : light && percentOf(light),
    source: source && SOURCES.get(source.value),
  }
}

function openDdcutil({ bus, darkBy, program }: DdcutilOptions, place: Place): Instrument {
  const local = createLocalProgram({
    program,
    name: `The program of display ${place.number}`,
    failure: `The display does not answer on I²C bus ${bus}.`,
    log: place.log,
  })
  /** Calls follow one another: the bus has one line, and ddcutil has locks that fail instead of waiting. */
  const ddcutil = (words: readonly string[], withinMs: number, signal?: AbortSignal) =>
    place.inQueue(`i2c ${bus}`, () => local.run(['--bus', String(bus), ...words], withinMs, signal))
  const get = async (code: string, signal: AbortSignal) =>
    featureFrom(await ddcutil(['getvcp', code, '--terse'], READ_ENDS_AFTER_MS, signal))
  const set = (code: string, value: string) => ddcutil(['setvcp', code, value], SET_ENDS_AFTER_MS).then(() => undefined)

  /** The percentage refers to the maximum that the display reports: some count to 255. */
  const setPercent = async (code: string, percent: number) => {
    const feature = await get(code, AbortSignal.timeout(READ_ENDS_AFTER_MS))
    if (!feature?.maximum)
      throw new HardwareError(`This display has no ${code === LUMINANCE ? 'backlight' : 'colour'} to set.`)
    await set(code, String(Math.round((percent * feature.maximum) / 100)))
  }

  const readAll = async (signal: AbortSignal): Promise<DriverReading> => {
    const light = await get(LUMINANCE, signal)
    const power = await get(POWER, signal)
    return { values: readingOf(power, light, await get(SOURCE, signal)) }
  }

  return {
    read: readAll,
    test: async (signal) => {
      const { backlight_level: level, source } = (await readAll(signal)).values
      return `The display on I²C bus ${bus} answers: backlight ${level ?? 'unknown'} %, source ${source ?? 'unknown'}.`
    },
    commands: {
      display: {
        setBacklight: (percent) => setPercent(LUMINANCE, percent),
        switchOff: () => set(POWER, POWER_VALUES[darkBy]),
        switchOn: () => set(POWER, POWER_VALUES.on),
        apply: async (settings) => {
          refuseOthers(settings)
          if (settings.backlightLevel !== undefined) await setPercent(LUMINANCE, settings.backlightLevel)
          for (const [field, code] of GAINS) {
            const percent = settings[field]
            if (percent !== undefined) await setPercent(code, percent)
          }
        },
      },
    },
    close: () => local.close(),
  }
}

/** Runs before anything is set, so that nothing is half done. */
function refuseOthers({ brightness, gammaValue, touchScreenStatus }: DisplaySettings): void {
  const asked = { 'black level': brightness, gamma: gammaValue, 'touch screen': touchScreenStatus }
  const names = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (names.length > 0) throw new HardwareError(`By DDC/CI this display has no ${names.join(' and no ')} to set.`)
}

const DETECT_ENDS_AFTER_MS = 15_000

/** The program lists the displays that answer by DDC/CI, each with its bus. */
async function ddcutilCandidates({ log }: Surroundings, signal: AbortSignal): Promise<readonly Candidate[]> {
  const program = DDCUTIL.options.program.fallback
  if (program === undefined || !existsSync(program)) return []
  const local = createLocalProgram({ program, name: 'ddcutil', log })
  const printed = await local.run(['detect', '--terse'], DETECT_ENDS_AFTER_MS, signal).catch(() => '')
  return busesIn(printed).map((bus) => ({ topic: 'display', options: { bus } }))
}

/** Reads the blocks of `ddcutil detect --terse`; one that begins with "Invalid display" does not answer. */
export const busesIn = (printed: string): readonly number[] =>
  printed
    .split(/^(?=\S)/m)
    .filter((block) => block.startsWith('Display '))
    .flatMap((block) => Array.from(block.matchAll(/I2C bus:\s*\/dev\/i2c-(\d+)/g), ([, bus]) => Number(bus)))

export const ddcutilDriver = driver(DDCUTIL, { open: openDdcutil, probe: ddcutilCandidates })
