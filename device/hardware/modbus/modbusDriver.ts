import { type EventTypeTopic, eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { OptionProblem, OptionsOf } from '#domain/drivers/driverDescription.ts'
import { MODBUS, type ModbusRegister, type ModbusRegisters } from '#domain/drivers/modbusDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import { lineName } from '../wire/line.ts'
import { lineAddressOf, lineProblem } from '../wire/lineOptions.ts'
import { type LineTalk, withLine } from '../wire/lineTalk.ts'
import { powerCycle } from '../wire/powerCycle.ts'
import {
  isSilence,
  ModbusException,
  readQuestion,
  readValue,
  rtuFrame,
  tcpFrame,
  writeQuestion,
} from './modbusFrames.ts'

type ProfileName = NonNullable<OptionsOf<typeof MODBUS>['profile']>

const float = (address: number) => ({ table: 'input', address, type: 'float32' }) as const

/** Instruments whose registers are known from the makers' own tables. */
const MODBUS_PROFILES: Readonly<Record<ProfileName, ModbusRegisters>> = {
  // Eastron, "SDM120-Modbus Smart Meter Modbus Protocol Implementation": input registers, IEEE 754, high word first.
  'eastron-sdm120': { active_power: float(0x000c), energy: float(0x0156) },
  // Eastron, "SDM630-Modbus Smart Meter Modbus Protocol Implementation": values of all phases together.
  'eastron-sdm630': { active_power: float(0x0034), energy: float(0x0156) },
}

type ModbusOptions = OptionsOf<typeof MODBUS>

const COMMAND_ENDS_AFTER_MS = 4000
const TRANSACTIONS = 0x10000

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
  let transaction = 0

  const withBus = <Result>(signal: AbortSignal, work: (ask: Ask) => Promise<Result>) =>
    inQueue(lineName(address), () => withLine(address, signal, (talk) => work(askBy(talk))))

  const askBy =
    (talk: LineTalk): Ask =>
    (question) => {
      transaction = (transaction + 1) % TRANSACTIONS
      const frame = isRtu ? rtuFrame(question, unit) : tcpFrame(question, unit, transaction)
      return talk.ask(frame.bytes, frame.answerIn)
    }

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

type Ask = (question: Buffer) => Promise<Buffer>

/** Returns undefined if the instrument lacks the register; silence behind its gateway remains an error. */
async function valueIn(ask: Ask, register: ModbusRegister): Promise<number | undefined> {
  try {
    return readValue(register, await ask(readQuestion(register)))
  } catch (error) {
    if (!(error instanceof ModbusException)) throw error
    if (isSilence(error)) throw new HardwareError(`The instrument is not read: ${error.message}.`)
    return undefined
  }
}

export const modbusDriver = driver(MODBUS, { problem, open: openModbus })
