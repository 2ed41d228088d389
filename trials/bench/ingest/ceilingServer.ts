import { type AddressInfo, createServer, type Socket } from 'node:net'
import type pg from 'pg'
import { openPool } from '#server/db/connect/pool.ts'
import { CopyBuffer } from '#server/db/copying/CopyBuffer.ts'
import { runPipelined } from '#server/db/copying/pipelinedTransaction.ts'
import { answerMessages, processorMs } from '../../frame/answerMessages.ts'
import type { CeilingTable } from './ceilingTable.ts'

/**
 * The ceiling is a bare socket server that cuts packets, parses their JSON, copies the values and acknowledges after
 * the commit. It has no keys, checks, watermarks or current state, and takes only well-formed packets.
 */

const LANES = 2
const CONNACK = Buffer.from([0x20, 2, 0, 0])

interface Waiting {
  readonly socket: Socket
  readonly packetId: number
  readonly deviceId: number
  readonly kind: CeilingKind
  readonly number: number
  /** Before the names of its values in the row that it shares. */
  readonly prefix: string | undefined
  readonly at: number
  readonly values: Record<string, number | string | undefined>
}

type Row = Pick<Waiting, 'deviceId' | 'number' | 'at' | 'values'>

/** The rows of one table, for each shard. */
class CeilingKind {
  readonly sql: string
  readonly #columns: CeilingTable['columns']
  readonly #hasNumber: boolean

  constructor({ table, columns, topics }: CeilingTable) {
    this.#columns = columns
    this.#hasNumber = topics.every(({ prefixes }) => prefixes === undefined)
    const names = [
      'device_dt',
      'inserted',
      'device_id',
      ...(this.#hasNumber ? ['number'] : []),
      ...columns.map(({ name }) => `"${name}"`),
    ]
    this.sql = `copy ${table} (${names.join(', ')}) from stdin (format binary)`
  }

  write(buffer: CopyBuffer, { deviceId, number, at, values }: Row, now: number): void {
    const columns = this.#columns
    const bytes = 64 + columns.length * 8
    buffer.row((this.#hasNumber ? 4 : 3) + columns.length, bytes)
    buffer.timestamp(at)
    buffer.timestamp(now)
    buffer.int32(deviceId)
    if (this.#hasNumber) buffer.int16(number)
    for (const { name, storage } of columns) {
      const value = values[name]
      if (value === undefined) buffer.absent()
      else if (storage === 'text') buffer.text(value as string, bytes)
      else if (storage === 'integer') buffer.int32(value as number)
      else buffer.real(value as number)
    }
  }
}

class CeilingShard {
  readonly #pool: pg.Pool
  readonly #buffers = new Map<CeilingKind, CopyBuffer>()
  #queue: Waiting[] = []
  #isRunning = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  push(waiting: Waiting): void {
    this.#queue.push(waiting)
    if (this.#isRunning) return
    this.#isRunning = true
    setImmediate(() => this.#run().catch(fail))
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue
      this.#queue = []
      const now = Date.now()
      const begun = new Set<CeilingKind>()
      for (const [kind, rows] of Map.groupBy(rowsOf(batch), ({ kind }) => kind)) {
        const buffer = this.#bufferOf(kind)
        buffer.begin()
        begun.add(kind)
        for (const row of rows) kind.write(buffer, row, now)
      }
      const connection = await this.#pool.connect()
      await runPipelined(
        connection,
        [...begun].map((kind) => ({ sql: kind.sql, copy: this.#bufferOf(kind).end() })),
      )
      connection.release()
      acknowledge(batch)
    }
    this.#isRunning = false
  }

  #bufferOf(kind: CeilingKind): CopyBuffer {
    const buffer = this.#buffers.get(kind) ?? new CopyBuffer()
    this.#buffers.set(kind, buffer)
    return buffer
  }
}

/** Reports that share a row are put together. */
function* rowsOf(batch: readonly Waiting[]): Generator<Row & { readonly kind: CeilingKind }> {
  const shared = new Map<string, Row & { readonly kind: CeilingKind }>()
  for (const waiting of batch) {
    const { kind, deviceId, number, prefix, at, values } = waiting
    if (prefix === undefined) {
      yield waiting
      continue
    }
    const key = `${deviceId} ${at}`
    const row = shared.get(key) ?? { kind, deviceId, number, at, values: {} }
    shared.set(key, row)
    for (const name of Object.keys(values)) row.values[prefix + name] = values[name]
  }
  yield* shared.values()
}

function acknowledge(batch: readonly Waiting[]) {
  const bySocket = new Map<Socket, number[]>()
  for (const { socket, packetId } of batch) {
    const ids = bySocket.get(socket)
    if (ids === undefined) bySocket.set(socket, [packetId])
    else ids.push(packetId)
  }
  for (const [socket, ids] of bySocket) {
    const bytes = Buffer.allocUnsafe(ids.length * 4)
    for (const [index, id] of ids.entries()) bytes.writeUInt32BE(0x40020000 + id, index * 4)
    socket.write(bytes)
  }
}

function fail(error: unknown) {
  console.error(error)
  process.exit(1)
}

interface Ceiling {
  readonly lanes: readonly CeilingShard[]
  /** By topic. */
  readonly kinds: ReadonlyMap<string, { readonly kind: CeilingKind; readonly prefixes?: readonly string[] }>
}

function serve({ lanes, kinds }: Ceiling, socket: Socket, deviceId: number) {
  const lane = lanes[deviceId % lanes.length] as CeilingShard
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (;;) {
      const second = bytes[at + 2] ?? 0
      const isLong = (bytes[at + 1] ?? 0) > 127
      const length = isLong ? ((bytes[at + 1] ?? 0) & 127) + second * 128 : (bytes[at + 1] ?? 0)
      const body = at + (isLong ? 3 : 2)
      if (body + length > bytes.length) break
      const end = body + length
      if (bytes[at] === 0x10) socket.write(CONNACK)
      else {
        const idAt = body + 2 + bytes.readUInt16BE(body)
        const report = JSON.parse(bytes.toString('latin1', idAt + 2, end))
        const packetId = bytes.readUInt16BE(idAt)
        const [, , , , topic = '', number = '1'] = bytes.toString('latin1', body + 2, idAt).split('/')
        const stored = kinds.get(topic)
        if (stored === undefined) throw new Error(`Nothing stores ${topic}.`)
        const prefix = stored.prefixes?.[Number(number) - 1]
        const at = Date.parse(report.at)
        const { kind } = stored
        lane.push({ socket, packetId, deviceId, kind, number: Number(number), prefix, at, values: report.values })
      }
      at = end
      if (at + 2 >= bytes.length) break
    }
    rest = bytes.subarray(at)
  })
}

type Question = { readonly start: string; readonly tables: readonly CeilingTable[] } | { readonly tell: 'processor' }

answerMessages<Question>(
  async (question) => {
    if ('tell' in question) return { ms: processorMs() }
    const { start, tables } = question
    const pool = openPool(start, { maximumConnections: LANES, name: 'bench ceiling' })
    const lanes = Array.from({ length: LANES }, () => new CeilingShard(pool))
    const kinds = new Map(
      tables.flatMap((table) => {
        const kind = new CeilingKind(table)
        return table.topics.map(({ topic, ...of }) => [topic, { kind, ...of }] as const)
      }),
    )
    let connections = 0
    const server = createServer({ noDelay: true }, (socket) => {
      connections++
      serve({ lanes, kinds }, socket, connections)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { port: (server.address() as AddressInfo).port }
  },
  async () => undefined,
)
