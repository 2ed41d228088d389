import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import type { ModbusRegister } from '#domain/drivers/modbusDescription.ts'
import { socatIsMissing, startSerialLine } from '#testing/totem/pseudoTerminals.ts'
import { floatAt, startModbus } from '#testing/totem/simulatedModbus.ts'
import { modbusDriver } from './modbusDriver.ts'
import { crc16, readQuestion, readValue, rtuFrame, tcpFrame, writeQuestion } from './modbusFrames.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const holding = (address: number, more: Partial<ModbusRegister> = {}): ModbusRegister => ({
  table: 'holding',
  address,
  ...more,
})

test('questions and answers are those of the specification', () => {
  // V1.1b3 §6.3 asks for three registers from 107 on; here it is one.
  expect(readQuestion(holding(0x6b))).toEqual(hex('03 00 6b 00 01'))
  expect(readQuestion(holding(0x6b, { type: 'float32' }))).toEqual(hex('03 00 6b 00 02'))
  expect(readValue(holding(0x6b), hex('03 02 02 2b'))).toBe(555)
  // §6.5 switches coil 173 on.
  expect(writeQuestion({ table: 'coil', address: 0xac }, true)).toEqual(hex('05 00 ac ff 00'))
  expect(writeQuestion({ table: 'coil', address: 0xac, isInverted: true }, true)).toEqual(hex('05 00 ac 00 00'))
  expect(writeQuestion({ table: 'input', address: 1 }, true)).toBeUndefined()
  // Appendix B of the guide for serial lines gives 0x1241 after 02 07.
  expect(crc16(hex('02 07'))).toBe(0x1241)
  expect(tcpFrame(hex('03 00 6b 00 01'), 1, 0x0102).bytes).toEqual(hex('01 02 00 00 00 06 01 03 00 6b 00 01'))
})

test.each<[string, Partial<ModbusRegister>, string, number | undefined]>([
  ['a signed number', { type: 'int16', scale: 0.1 }, 'ff 9c', -10],
  ['two registers', { type: 'uint32' }, '00 01 00 02', 65_538],
  ['two registers, the low one first', { type: 'uint32', words: 'lowFirst' }, '00 02 00 01', 65_538],
  ['a negative number of two registers', { type: 'int32' }, 'ff ff ff fe', -2],
  ['a fraction', { type: 'float32' }, '43 66 66 66', 230.4],
  ['no number', { type: 'float32' }, '7f c0 00 00', undefined],
  ['a contact that opens', { isInverted: true }, '00 00', 1],
])('%s is read as it is meant', (_, more, data, expected) => {
  const bytes = hex(data)
  expect(readValue(holding(0, more), Buffer.concat([Buffer.from([3, bytes.length]), bytes]))).toBe(expected)
})

test('a serial answer is found however it is cut and behind noise, and a broken one is none', () => {
  const { answerIn } = rtuFrame(readQuestion(holding(0)), 17)
  const answer = Buffer.concat([hex('11 03 02 02 2b'), hex('b8 f8')])
  answer.writeUInt16LE(crc16(answer.subarray(0, 5)), 5)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), fc.nat({ max: 6 }), fc.nat({ max: 55 }), (noise, cut, bit) => {
      expect(answerIn(Buffer.concat([noise, answer]))).toEqual(hex('03 02 02 2b'))
      expect(answerIn(answer.subarray(0, cut))).toBeUndefined()
      const broken = Buffer.from(answer)
      broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(answerIn(broken)).toBeUndefined()
    }),
  )
})

const CLIMATE = {
  external_temp: { table: 'input', address: 0, type: 'int16', scale: 0.1 },
  door_status: { table: 'discrete', address: 4 },
  fan1_speed: { table: 'holding', address: 99 },
}
const PORTS = { port1_status: { table: 'coil', address: 0 }, port2_status: { table: 'coil', address: 1 } }

async function start(options: object, topic: EventTypeTopic, framing: 'tcp' | 'rtu' = 'tcp') {
  const bus = await startModbus({ framing })
  onTestFinished(() => bus.pull())
  const opened = openDriver(modbusDriver, { host: '127.0.0.1', port: bus.port, framing, ...options }, { topic })
  return { bus, opened, read: async () => (await opened.read(soon()))?.values }
}

test.each(['tcp', 'rtu'] as const)('a meter says energy and power, in frames of %s', async (framing) => {
  const { bus, opened, read } = await start({ profile: 'eastron-sdm120' }, 'ecu', framing)
  floatAt(bus.state.input, 0x0c, 412.5)
  floatAt(bus.state.input, 0x156, 1234.56)
  expect(await read()).toEqual({ active_power: 412.5, energy: 1234.56 })
  expect(await opened.test(soon())).toContain('unit 1: active_power 412.5, energy 1234.56.')
})

test('climate and a door are read; a register that is not there is unknown, and silence behind a gateway is silence', async () => {
  const { bus, opened, read } = await start({ registers: CLIMATE }, 'ecu')
  bus.state.input.set(0, 0x10000 - 123)
  bus.state.discrete.set(4, 1)
  expect(await read()).toEqual({ external_temp: -12.3, door_status: 1, fan1_speed: undefined })
  bus.state.exception = 11
  await expect(read()).rejects.toThrow('The instrument is not read: nothing answers behind its gateway.')
  bus.state.exception = undefined
  bus.isMute = true
  await expect(opened.read(AbortSignal.timeout(50))).rejects.toThrow('in time.')
  await bus.pull()
  await expect(read()).rejects.toThrow(/^Nothing listens at /)
})

test('a relay is told once, and a refusal is said', async () => {
  const { bus, opened, read } = await start({ registers: PORTS }, 'relay')
  bus.state.coils.set(0, 1)
  await opened.commands?.relay?.set?.(1, false)
  expect(await read()).toEqual({ port1_status: 0, port2_status: undefined })
  await expect(opened.commands?.relay?.set?.(2, true)).rejects.toThrow(
    'The instrument refused: it has no such register.',
  )
  expect(bus.writes).toEqual(['0500000000', '050001ff00'])
})

test('options name what is wrong in a table of registers', () => {
  const wrong = (options: object) => () => openDriver(modbusDriver, { host: '10.0.0.9', ...options }, { topic: 'ecu' })
  expect(wrong({})).toThrow('profile is required, unless registers are named')
  expect(wrong({ registers: { colour: CLIMATE.door_status } })).toThrow('registers has colour, which is no field of')
  expect(wrong({ registers: { energy: { table: 'input' } } })).toThrow(
    'registers is wrong at energy, which must have as address a whole number from 0 to 65535',
  )
  expect(wrong({ registers: PORTS })).toThrow('registers has port1_status, which this part has not')
  expect(wrong({ registers: CLIMATE, profile: 'eastron-sdm120' })).toThrow('registers cannot be named beside profile')
})

if (socatIsMissing) console.warn(socatIsMissing)
test.skipIf(socatIsMissing)('by a serial port a meter says the same', async () => {
  const bus = await startModbus({ framing: 'rtu' })
  onTestFinished(() => bus.pull())
  floatAt(bus.state.input, 0x34, 900)
  floatAt(bus.state.input, 0x156, 7)
  const line = await startSerialLine(bus.port)
  onTestFinished(() => line.unplug())
  const opened = openDriver(modbusDriver, { path: line.path, profile: 'eastron-sdm630' }, { topic: 'ecu' })
  expect((await opened.read(soon()))?.values).toEqual({ active_power: 900, energy: 7 })
})
