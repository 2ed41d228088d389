import type { OptionProblem, OptionsOf } from '#domain/drivers/driverDescription.ts'
import { YOCTOPUCE_LIGHT } from '#domain/drivers/yoctopuceDescriptions.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineName } from '../wire/line.ts'
import { panelPercent } from '../wire/panelPercent.ts'
import { readModule, sensorValue, wholeNumber, type YoctoFunctions } from './hub.ts'

type LightOptions = OptionsOf<typeof YOCTOPUCE_LIGHT>

/** The sensor must have been set up for the light that it sees before it can report a percentage. */
function problem({ sees, dark, lit, sensor }: LightOptions): OptionProblem | undefined {
  if (sees === 'surroundings') {
    return sensor === 'lightSensor'
      ? undefined
      : { field: 'sensor', reason: 'must be lightSensor, which alone knows lux' }
  }
  if (dark === undefined) return { field: 'dark', reason: 'is required for a sensor that sees the panel' }
  if (lit === undefined) return { field: 'lit', reason: 'is required for a sensor that sees the panel' }
  return dark === lit ? { field: 'lit', reason: 'must be another value than dark' } : undefined
}

function openLight(options: LightOptions, { inQueue }: Place): Instrument {
  const { sensor, sees, dark = 0, lit = 0, serial } = options
  const line = lineName(options)

  const valueIn = (functions: YoctoFunctions) =>
    sensor === 'lightSensor' ? sensorValue(functions, sensor) : wholeNumber(functions, sensor, 'calibratedValue')
  const read = async (signal: AbortSignal) => valueIn(await inQueue(line, () => readModule(options, signal)))
  const readingOf = (value: number): DisplayReading =>
    sees === 'panel' ? { panel_light: panelPercent(value, { dark, lit }) } : { ambient_light: value }

  return {
    read: async (signal) => {
      const value = await read(signal)
      return value === undefined ? undefined : { values: readingOf(value) }
    },
    test: async (signal) => {
      const value = await read(signal)
      if (value === undefined) throw new HardwareError(`The module ${serial} says no value of its ${sensor}.`)
      const { panel_light: percent, ambient_light: lux } = readingOf(value)
      const said =
        percent === undefined ? `${lux} lux` : `it says ${value}, which is ${percent} % of the light of the panel`
      return `The Yoctopuce hub at ${line} answers: ${sensor} of ${serial}, ${said}.`
    },
  }
}

export const yoctopuceLightDriver = driver(YOCTOPUCE_LIGHT, { problem, open: openLight })
