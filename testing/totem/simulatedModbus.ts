import type { Duplex } from 'node:stream'
import { listenOn, type SimulatedInstrument } from './simulatedInstrument.ts'

export interface ModbusState {
  /** 0 or 1, by address. */
  readonly coils: Map<number, number>
  readonly discrete: Map<number, number>
  /** 16 bits, by address. */
  readonly holding: Map<number, number>
  readonly input: Map<number, number>
  /** When it is set, it answers every request. */
  exception: number | undefined
}

export interface SimulatedModbus extends SimulatedInstrument {
  readonly state: ModbusState
  /** Requests that change something, in hexadecimal without unit and frame, oldest first. */
  readonly writes: string[]
}

/** Sets the two registers of a number as meters store it: IEEE 754, the high word first. */
export function floatAt(registers: Map<number, number>, address: number, value: number): void {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatBE(value)
  registers.set(address, bytes.readUInt16BE(0)).set(address + 1, bytes.readUInt16BE(2))
}

const PAUSE_MS = 100

const checksum = (bytes: Buffer) =>
  bytes.reduce((sum, byte) => {
    let rest = sum ^ byte
    for (let bit = 0; bit < 8; bit++) rest = (rest >> 1) ^ (rest & 1 ? 0xa001 : 0)
    return rest
  }, 0xffff)

/** Simulates one unit with the given tables; an address in none is refused (V1.1b3, exception 2). */
export async function startModbus({
  unit = 1,
  framing = 'tcp',
  onWritten = () => {},
}: {
  readonly unit?: number
  readonly framing?: 'tcp' | 'rtu'
  readonly onWritten?: () => void
} = {}): Promise<SimulatedModbus> {
  const state: ModbusState = {
    coils: new Map(),
    discrete: new Map(),
    holding: new Map(),
    input: new Map(),
    exception: undefined,
  }
  const writes: string[] = []
  const tables: Readonly<Record<number, Map<number, number>>> = {
    1: state.coils,
    2: state.discrete,
    3: state.holding,
    4: state.input,
  }

  const read = (code: number, table: Map<number, number>, address: number, count: number): Buffer => {
    const values = Array.from({ length: count }, (_, index) => table.get(address + index))
    if (values.includes(undefined)) return Buffer.from([code | 0x80, 2])
    if (code <= 2) {
      const bytes = Buffer.alloc(Math.ceil(count / 8))
      for (const [index, value] of values.entries())
        bytes[index >> 3] = (bytes[index >> 3] ?? 0) | ((value ?? 0) << (index & 7))
      return Buffer.from([code, bytes.length, ...bytes])
    }
    return Buffer.from([code, 2 * count, ...values.flatMap((value = 0) => [value >> 8, value & 0xff])])
  }

  const answer = (request: Buffer): Buffer => {
    const [code = 0] = request
    const [address, second] = [request.readUInt16BE(1), request.readUInt16BE(3)]
    if (state.exception !== undefined) return Buffer.from([code | 0x80, state.exception])
    const table = tables[code]
    if (table) return read(code, table, address, second)
    const written = code === 5 ? state.coils : code === 6 ? state.holding : undefined
    if (!written) return Buffer.from([code | 0x80, 1])
    writes.push(request.toString('hex'))
    if (!written.has(address)) return Buffer.from([code | 0x80, 2])
    written.set(address, code === 5 ? Number(second === 0xff00) : second)
    onWritten()
    return request
  }

  const serveTcp = (line: Duplex, waiting: Buffer): Buffer => {
    if (waiting.length < 12) return waiting
    const said = waiting[6] === unit ? answer(waiting.subarray(7, 12)) : undefined
    if (said) {
      const header = Buffer.from(waiting.subarray(0, 7))
      header.writeUInt16BE(said.length + 1, 4)
      line.write(Buffer.concat([header, said]))
    }
    return waiting.subarray(12)
  }
  const serveRtu = (line: Duplex, waiting: Buffer): Buffer => {
    if (waiting.length < 8) return waiting
    const isWhole = checksum(waiting.subarray(0, 6)) === waiting.readUInt16LE(6)
    if (waiting[0] === unit && isWhole) {
      const body = Buffer.concat([Buffer.from([unit]), answer(waiting.subarray(1, 6))])
      const sum = Buffer.alloc(2)
      sum.writeUInt16LE(checksum(body))
      line.write(Buffer.concat([body, sum]))
    }
    return waiting.subarray(8)
  }

  const instrument = await listenOn((line) => {
    let waiting: Buffer = Buffer.alloc(0)
    let lastMs = 0
    line.on('data', (bytes: Buffer) => {
      // A pause ends a frame on a serial line, so what another protocol has sent is no part of it (V1.02, §2.5.1.1).
      if (framing === 'rtu' && performance.now() - lastMs > PAUSE_MS) waiting = Buffer.alloc(0)
      lastMs = performance.now()
      waiting = (framing === 'tcp' ? serveTcp : serveRtu)(line, Buffer.concat([waiting, bytes]))
    })
  })
  return Object.assign(instrument, { state, writes })
}
