import { EVENT_TYPES } from '../catalogue/eventTypes.ts'
import type { DriverDescription } from './driverDescription.ts'
import { choice, integer, local, optional, withDefault } from './driverOption.ts'
import { lineOptions } from './lineOptions.ts'

const MODBUS_TABLES = ['coil', 'discrete', 'holding', 'input'] as const
const MODBUS_TYPES = ['uint16', 'int16', 'uint32', 'int32', 'float32'] as const

export interface ModbusRegister {
  readonly table: (typeof MODBUS_TABLES)[number]
  /** Counted from 0, as on the wire: 40001 in a manual is `holding` 0. */
  readonly address: number
  /** The type of a `holding` or `input` register; uint16 when left out. */
  readonly type?: (typeof MODBUS_TYPES)[number]
  /** The order of two registers; the high one first when left out. */
  readonly words?: 'highFirst' | 'lowFirst'
  /** The number is multiplied by this. */
  readonly scale?: number
  /** Swaps 0 and 1. */
  readonly isInverted?: boolean
}

export type ModbusRegisters = Readonly<Record<string, ModbusRegister>>

const PARTS = ['ecu', 'relay', 'power-switch'] as const
const FIELDS = new Set(
  EVENT_TYPES.filter(({ topic }) => (PARTS as readonly string[]).includes(topic)).flatMap(({ fields }) =>
    fields.map(({ name }) => name),
  ),
)
const KEYS: readonly string[] = ['table', 'address', 'type', 'words', 'scale', 'isInverted']

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isOneOf = (values: readonly string[], value: unknown) => values.some((one) => one === value)

function registerProblem(register: unknown): string | undefined {
  if (!isRecord(register)) return 'must be an object with table and address'
  const unknown = Object.keys(register).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) return `has ${unknown}, and knows only ${KEYS.join(', ')}`
  const { table, address, type, words, scale, isInverted } = register
  if (!isOneOf(MODBUS_TABLES, table)) return `must have as table one of ${MODBUS_TABLES.join(', ')}`
  if (!Number.isInteger(address) || Number(address) < 0 || Number(address) > 65_535) {
    return 'must have as address a whole number from 0 to 65535'
  }
  if (type !== undefined && !isOneOf(MODBUS_TYPES, type)) return `must have as type one of ${MODBUS_TYPES.join(', ')}`
  if (words !== undefined && !isOneOf(['highFirst', 'lowFirst'], words))
    return 'must have as words highFirst or lowFirst'
  if (scale !== undefined && (!Number.isFinite(scale) || scale === 0)) return 'must have as scale a number other than 0'
  return isInverted === undefined || typeof isInverted === 'boolean'
    ? undefined
    : 'must have as isInverted true or false'
}

const registers = local<ModbusRegisters>('Registers', (value) => {
  if (!isRecord(value) || Object.keys(value).length === 0) return { reason: 'must be an object of registers by field' }
  for (const [name, register] of Object.entries(value)) {
    if (!FIELDS.has(name)) return { reason: `has ${name}, which is no field of ${PARTS.join(', ')}` }
    const problem = registerProblem(register)
    if (problem !== undefined) return { reason: `is wrong at ${name}, which ${problem}` }
  }
  return { value: value as ModbusRegisters }
})

/** Climate, doors, relays and meters with Modbus. */
export const MODBUS = {
  name: 'modbus',
  title: 'Modbus (climate, doors, relays, energy meters)',
  parts: PARTS,
  chosenBy: 'console',
  options: {
    ...lineOptions(502, 9600),
    parity: withDefault(choice('Parity of the serial port', { values: ['none', 'even', 'odd'] }), 'none'),
    stopBits: withDefault(integer('Stop bits of the serial port', { minimum: 1, maximum: 2 }), 1),
    framing: withDefault(choice('Frames on the network', { values: ['tcp', 'rtu'] }), 'tcp'),
    unit: withDefault(integer('Unit', { minimum: 0, maximum: 255 }), 1),
    profile: optional(choice('Instrument', { values: ['eastron-sdm120', 'eastron-sdm630'] })),
    registers: optional(registers),
  },
} as const satisfies DriverDescription
