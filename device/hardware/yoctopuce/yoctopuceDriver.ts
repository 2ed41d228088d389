import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { YOCTOPUCE } from '#domain/drivers/yoctopuceDescriptions.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import { lineName } from '../wire/line.ts'
import { powerCycle } from '../wire/powerCycle.ts'
import { readModule, setAttribute, wholeNumber, type YoctoFunctions } from './hub.ts'
import { yoctopuceCandidates } from './yoctopuceCandidates.ts'

type YoctopuceOptions = OptionsOf<typeof YOCTOPUCE>

const COMMAND_ENDS_AFTER_MS = 8000
const PULSE_MS = 3000
const STATE = { idle: 0, active: 1 } as const
const BUTTONS = [1, 2, 3, 4, 5] as const
const PORTS = [1, 2] as const
/** The reading is a 4-byte integer; the module's counter goes to twice as much before it overflows. */
const MOST_PRESSES = 0x7fff_ffff

function openYoctopuce(options: YoctopuceOptions, { topic, inQueue }: Place): Instrument {
  const line = lineName(options)
  const read = (signal: AbortSignal) => inQueue(line, () => readModule(options, signal))
  const relayOf = (port: number) => `relay${options.firstRelay + port - 1}`
  const stateFor = (isOn: boolean) => (isOn === (options.onWhen === 'active') ? STATE.active : STATE.idle)

  const isOn = (functions: YoctoFunctions, port: number): number | undefined => {
    const state = wholeNumber(functions, relayOf(port), 'state')
    return state === undefined ? undefined : state === stateFor(true) ? 1 : 0
  }

  const valuesOf = (functions: YoctoFunctions): Record<string, number | undefined> =>
    topic === 'relay'
      ? Object.fromEntries(PORTS.map((port) => [`port${port}_status`, isOn(functions, port)]))
      : Object.fromEntries(BUTTONS.map((button) => [`${button}`, pressesOf(functions, button)]))

  /** The hub answers before the relay has moved, so the state is read back. */
  const set = (port: number, wanted: boolean) =>
    inQueue(line, async () => {
      const signal = AbortSignal.timeout(COMMAND_ENDS_AFTER_MS)
      await setAttribute(options, { name: relayOf(port), attribute: 'state', value: stateFor(wanted) }, signal)
      const became = isOn(await readModule(options, signal), port)
      if (became === undefined) throw new HardwareError(`The module ${options.serial} has no ${relayOf(port)}.`)
      if (became !== Number(wanted))
        throw new HardwareError(`The hub took the order, and ${relayOf(port)} did not move.`)
    })

  const reset = async (port: number) => {
    if (options.onWhen === 'active') {
      return powerCycle(
        () => set(port, false),
        () => set(port, true),
      )
    }
    // The module itself ends the pulse, whatever happens to this computer meanwhile.
    const pulse = { name: relayOf(port), attribute: 'pulseTimer', value: PULSE_MS }
    await inQueue(line, () => setAttribute(options, pulse, AbortSignal.timeout(COMMAND_ENDS_AFTER_MS)))
  }

  return {
    read: async (signal) => ({ values: valuesOf(await read(signal)) }),
    test: async (signal) => {
      const known = Object.values(valuesOf(await read(signal))).filter((value) => value !== undefined)
      if (known.length === 0) throw new HardwareError(`The module ${options.serial} has no such functions.`)
      const said =
        topic === 'relay'
          ? `ports ${known.map((one) => (one === 1 ? 'on' : 'off')).join(', ')}`
          : `${known.length} buttons`
      return `The Yoctopuce hub at ${line} answers: module ${options.serial}, ${said}.`
    },
    ...(topic === 'relay' && { commands: { relay: { set, reset } } }),
  }
}

function pressesOf(functions: YoctoFunctions, button: number): number | undefined {
  const presses = wholeNumber(functions, `anButton${button}`, 'pulseCounter')
  return presses !== undefined && presses <= MOST_PRESSES ? presses : undefined
}

export const yoctopuceDriver = driver(YOCTOPUCE, { open: openYoctopuce, probe: yoctopuceCandidates })
