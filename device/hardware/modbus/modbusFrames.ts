import type { ModbusRegister } from '#domain/drivers/modbusDescription.ts'

/** Codes of "MODBUS Application Protocol Specification V1.1b3", §6 and §7. */
const READ = { coil: 1, discrete: 2, holding: 3, input: 4 } as const
const WRITE_COIL = 5
const WRITE_REGISTER = 6
const IS_EXCEPTION = 0x80
const COIL_ON = 0xff00

/** The instrument understood the question and refuses it. */
export class ModbusException extends Error {
  readonly code: number
  constructor(code: number) {
    super(EXCEPTIONS[code] ?? `exception ${code}`)
    this.code = code
  }
}

const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'it does not know this function',
  2: 'it has no such register',
  3: 'it does not take this value',
  4: 'it failed',
  5: 'it takes its time',
  6: 'it is busy',
  8: 'its memory is faulty',
  10: 'its gateway has no way to it',
  11: 'nothing answers behind its gateway',
}
/** A gateway answers like this when its instrument is silent: nothing is known, whatever register was asked for. */
const IS_SILENCE: readonly number[] = [5, 6, 10, 11]
export const isSilence = (error: unknown): boolean =>
  error instanceof ModbusException && IS_SILENCE.includes(error.code)

const registersOf = ({ table, type = 'uint16' }: ModbusRegister): number =>
  table === 'holding' || table === 'input' ? (type.endsWith('32') ? 2 : 1) : 1

function pdu(code: number, first: number, second: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt8(code, 0)
  bytes.writeUInt16BE(first, 1)
  bytes.writeUInt16BE(second, 3)
  return bytes
}

export const readQuestion = (register: ModbusRegister): Buffer =>
  pdu(READ[register.table], register.address, registersOf(register))

/** Returns undefined for a table that is read-only. */
export function writeQuestion(
  { table, address, isInverted = false }: ModbusRegister,
  isOn: boolean,
): Buffer | undefined {
  const state = isOn !== isInverted
  if (table === 'coil') return pdu(WRITE_COIL, address, state ? COIL_ON : 0)
  return table === 'holding' ? pdu(WRITE_REGISTER, address, Number(state)) : undefined
}

/** Returns the value of an answer to `readQuestion`; undefined if it has none, such as an infinite number. */
export function readValue(register: ModbusRegister, answer: Buffer): number | undefined {
  const data = answer.subarray(2, 2 + (answer[1] ?? 0))
  const raw = rawValue(register, data)
  if (raw === undefined || !Number.isFinite(raw)) return undefined
  const value = register.isInverted ? Number(raw === 0) : raw * (register.scale ?? 1)
  // A 4-byte number has this many digits.
  return Number.parseFloat(value.toPrecision(7))
}

function rawValue({ table, type = 'uint16', words = 'highFirst' }: ModbusRegister, data: Buffer): number | undefined {
  if (table === 'coil' || table === 'discrete') return data.length < 1 ? undefined : (data[0] ?? 0) & 1
  if (!type.endsWith('32')) {
    if (data.length < 2) return undefined
    return type === 'int16' ? data.readInt16BE(0) : data.readUInt16BE(0)
  }
  if (data.length < 4) return undefined
  const bytes = words === 'highFirst' ? data : Buffer.concat([data.subarray(2, 4), data.subarray(0, 2)])
  if (type === 'float32') return bytes.readFloatBE(0)
  return type === 'int32' ? bytes.readInt32BE(0) : bytes.readUInt32BE(0)
}

/** Returns the length of the answer in bytes; undefined while it is not known yet. */
function answerLength(question: Buffer, received: Buffer): number | undefined {
  const [code] = received
  if (code === undefined) return undefined
  if (code & IS_EXCEPTION) return 2
  if (code === WRITE_COIL || code === WRITE_REGISTER) return question.length
  return received[1] === undefined ? undefined : 2 + received[1]
}

function answerTo(question: Buffer, received: Buffer): Buffer | undefined {
  const length = answerLength(question, received)
  if (length === undefined || received.length < length) return undefined
  const answer = received.subarray(0, length)
  if (((answer[0] ?? 0) & ~IS_EXCEPTION) !== question[0]) return undefined
  if ((answer[0] ?? 0) & IS_EXCEPTION) throw new ModbusException(answer[1] ?? 0)
  return answer
}

/** A question in the framing of a line, and the search for its answer in what arrives. */
export interface ModbusFrame {
  readonly bytes: Buffer
  /** @throws ModbusException */
  readonly answerIn: (received: Buffer) => Buffer | undefined
}

const MBAP_BYTES = 7

/** "MODBUS Messaging on TCP/IP Implementation Guide V1.0b", §3.1.3. */
export function tcpFrame(question: Buffer, unit: number, transaction: number): ModbusFrame {
  const header = Buffer.alloc(MBAP_BYTES)
  header.writeUInt16BE(transaction, 0)
  header.writeUInt16BE(question.length + 1, 4)
  header.writeUInt8(unit, 6)
  const answerIn = (received: Buffer): Buffer | undefined => {
    for (let at = 0; received.length >= at + MBAP_BYTES; ) {
      const end = at + 6 + received.readUInt16BE(at + 4)
      if (received.length < end) return undefined
      if (received.readUInt16BE(at) === transaction) return answerTo(question, received.subarray(at + MBAP_BYTES, end))
      at = end
    }
    return undefined
  }
  return { bytes: Buffer.concat([header, question]), answerIn }
}

/** "MODBUS over Serial Line Specification and Implementation Guide V1.02", §2.5.1. */
export function rtuFrame(question: Buffer, unit: number): ModbusFrame {
  const body = Buffer.concat([Buffer.from([unit]), question])
  const answerIn = (received: Buffer): Buffer | undefined => {
    for (let at = received.indexOf(unit); at >= 0; at = received.indexOf(unit, at + 1)) {
      const length = answerLength(question, received.subarray(at + 1))
      const end = at + 1 + (length ?? 0)
      if (length === undefined || received.length < end + 2) continue
      if (crc16(received.subarray(at, end)) !== received.readUInt16LE(end)) continue
      const answer = answerTo(question, received.subarray(at + 1, end))
      if (answer) return answer
    }
    return undefined
  }
  return { bytes: withCrc(body), answerIn }
}

const withCrc = (body: Buffer): Buffer => {
  const sum = Buffer.alloc(2)
  sum.writeUInt16LE(crc16(body), 0)
  return Buffer.concat([body, sum])
}

/** The serial line guide defines it in Appendix B. */
export function crc16(bytes: Uint8Array): number {
  let sum = 0xffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >> 1) ^ 0xa001 : sum >> 1
  }
  return sum
}
