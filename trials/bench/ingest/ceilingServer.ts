import { type AddressInfo, createServer, type Socket } from 'node:net'
import type pg from 'pg'
import { openPool } from '#server/db/connect/pool.ts'
import { CopyBuffer } from '#server/db/copying/CopyBuffer.ts'
import { runPipelined } from '#server/db/copying/pipelinedTransaction.ts'
import { answerMessages } from '../../frame/answerMessages.ts'
import { CEILING_TABLE } from './ceilingTable.ts'

/**
 * The ceiling is a bare socket server that cuts packets, parses their JSON, copies the values and acknowledges after
 * the commit. It has no keys, topics, checks, watermarks or current state, and takes only well-formed packets of one
 * shape.
 */

const LANES = 2
const CONNACK = Buffer.from([0x20, 2, 0, 0])

interface Waiting {
  readonly socket: Socket
  readonly packetId: number
  readonly deviceId: number
  readonly at: number
  readonly values: Record<string, number>
}

class CeilingShard {
  readonly #pool: pg.Pool
  readonly #columns: readonly string[]
  readonly #buffer = new CopyBuffer()
  #queue: Waiting[] = []
  #isRunning = false

  constructor(pool: pg.Pool, columns: readonly string[]) {
    this.#pool = pool
    this.#columns = columns
  }

  push(waiting: Waiting): void {
    this.#queue.push(waiting)
    if (this.#isRunning) return
    this.#isRunning = true
    setImmediate(() => this.#run().catch(fail))
  }

  async #run(): Promise<void> {
    const columns = this.#columns
    const names = ['device_dt', 'inserted', 'device_id', 'number', ...columns.map((name) => `"${name}"`)]
    const sql = `copy ${CEILING_TABLE} (${names.join(', ')}) from stdin (format binary)`
    while (this.#queue.length > 0) {
      const batch = this.#queue
      this.#queue = []
      const now = Date.now()
      this.#buffer.begin()
      for (const { deviceId, at, values } of batch) {
        this.#buffer.row(names.length, 64 + columns.length * 8)
        this.#buffer.timestamp(at)
        this.#buffer.timestamp(now)
        this.#buffer.int32(deviceId)
        this.#buffer.int16(1)
        for (const column of columns) this.#buffer.real(values[column] ?? 0)
      }
      const connection = await this.#pool.connect()
      await runPipelined(connection, [{ sql, copy: this.#buffer.end() }])
      connection.release()
      acknowledge(batch)
    }
    this.#isRunning = false
  }
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

function serve(lanes: readonly CeilingShard[], socket: Socket, deviceId: number) {
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
        lane.push({ socket, packetId, deviceId, at: Date.parse(report.at), values: report.values })
      }
      at = end
      if (at + 2 >= bytes.length) break
    }
    rest = bytes.subarray(at)
  })
}

type Question = { readonly start: string; readonly columns: readonly string[] }

answerMessages<Question>(
  async ({ start, columns }) => {
    const pool = openPool(start, { maximumConnections: LANES, name: 'bench ceiling' })
    const lanes = Array.from({ length: LANES }, () => new CeilingShard(pool, columns))
    let connections = 0
    const server = createServer({ noDelay: true }, (socket) => {
      connections++
      serve(lanes, socket, connections)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { port: (server.address() as AddressInfo).port }
  },
  async () => undefined,
)
