import { type EventTypeTopic, eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { OptionProblem, OptionsOf } from '#domain/drivers/driverDescription.ts'
import { MODBUS, type ModbusRegisters } from '#domain/drivers/modbusDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import { lineName } from '../wire/line.ts'
import { lineAddressOf, lineProblem } from '../wire/lineOptions.ts'
import { withLine } from '../wire/lineTalk.ts'
import { powerCycle } from '../wire/powerCycle.ts'
import { type Ask, createAsk, valueIn } from './modbusAsk.ts'
import { modbusCandidates } from './modbusCandidates.ts'
import { ModbusException, writeQuestion } from './modbusFrames.ts'
import { MODBUS_PROFILES } from './modbusProfiles.ts'

type ModbusOptions = OptionsOf<typeof MODBUS>

const COMMAND_ENDS_AFTER_MS = 4000

function problem(options: ModbusOptions, topic: EventTypeTopic): OptionProblem | undefined {
  const { profile, registers } = options
  if (profile === undefined && registers === undefined)
    return { field: 'profile', reason: 'is required, unless registers are named' }
  if (profile !== undefined && registers !== undefined)
    return { field: 'registers', reason: 'cannot be named beside profile' }
  const fields = eventTypeByTopic(topic)?.fields.map(({ name }) => name) ?? []
  const foreign = Object.keys(registersOf(options)).find((name) => !fields.some((field) => field === name))
  if (foreign === undefined) return lineProblem(options)
  return { field: profile === undefined ? 'registers' : 'profile', reason: `has ${foreign}, which this part has not` }
}

const registersOf = ({ registers, profile }: ModbusOptions): ModbusRegisters =>
  registers ?? (profile ? MODBUS_PROFILES[profile] : {})

function openModbus(options: ModbusOptions, { topic, inQueue }: Place): Instrument {
  const { unit, framing, path } = options
  const registers = registersOf(options)
  const address = lineAddressOf(options)
  const isRtu = path !== undefined || framing === 'rtu'

  const withBus = <Result>(signal: AbortSignal, work: (ask: Ask) => Promise<Result>) =>
    inQueue(lineName(address), () => withLine(address, signal, (talk) => work(createAsk(talk, { unit, isRtu }))))

  const readAll = (signal: AbortSignal) =>
    withBus(signal, async (ask) => {
      const values: Record<string, number | undefined> = {}
      for (const [name, register] of Object.entries(registers)) values[name] = await valueIn(ask, register)
      return values
    })

  const set = (port: number, isOn: boolean) => {
    const register = registers[`port${port}_status`]
    const question = register && writeQuestion(register, isOn)
    if (!question) throw new HardwareError(`No register is named by which port ${port} could be switched.`)
    return withBus(AbortSignal.timeout(COMMAND_ENDS_AFTER_MS), async (ask) => {
      await ask(question).catch((error: unknown) => {
        throw error instanceof ModbusException ? new HardwareError(`The instrument refused: ${error.message}.`) : error
      })
    })
  }
  const outlets = {
    set: async (port: number, isOn: boolean) => set(port, isOn),
    reset: async (port: number) =>
      powerCycle(
        () => set(port, false),
        () => set(port, true),
      ),
  }

  return {
    read: async (signal) => ({ values: await readAll(signal) }),
    test: async (signal) => {
      const known = Object.entries(await readAll(signal)).filter(([, value]) => value !== undefined)
      if (known.length === 0)
        throw new HardwareError(`Unit ${unit} at ${lineName(address)} has none of these registers.`)
      const said = known.map(([name, value]) => `${name} ${value}`).join(', ')
      return `A Modbus instrument answers at ${lineName(address)}, unit ${unit}: ${said}.`
    },
    ...(topic !== 'ecu' && { commands: { [topic]: outlets } }),
  }
}

export const modbusDriver = driver(MODBUS, { problem, open: openModbus, probe: modbusCandidates })
