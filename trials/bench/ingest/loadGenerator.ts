import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMessages } from '../../frame/answerMessages.ts'
import { signIn } from '../../frame/signIn.ts'
import { PreparedReport } from './PreparedReport.ts'

/** Publishes with raw sockets and prepared packets, so that the load costs next to nothing. */

export interface LoadQuestion {
  readonly port: number
  readonly devices: readonly { readonly guid: string; readonly key: string }[]
  readonly columns: readonly string[]
  readonly reports: number
  readonly inFlight: number
  /** 0: as fast as acknowledgements come. */
  readonly reportsPerSecond: number
  /** Device time of the first report of each device; each later one is a millisecond younger. */
  readonly firstAtMs: number
}

export interface LoadAnswer {
  readonly seconds: number
  readonly acknowledged: number
  readonly p50Ms: number
  readonly p99Ms: number
}

type OnAcknowledged = (connection: LoadConnection, count: number) => void

class LoadConnection {
  readonly socket: Socket
  readonly #report: PreparedReport
  readonly #sentAt: Float64Array
  readonly #latencies: Float64Array
  readonly #onAcknowledged: OnAcknowledged
  sent = 0
  acknowledged = 0
  #partial = 0

  constructor(socket: Socket, report: PreparedReport, reports: number, onAcknowledged: OnAcknowledged) {
    this.socket = socket
    this.#report = report
    this.#sentAt = new Float64Array(reports)
    this.#latencies = new Float64Array(reports)
    this.#onAcknowledged = onAcknowledged
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  get limit(): number {
    return this.#sentAt.length
  }

  get latencies(): Float64Array {
    return this.#latencies.subarray(0, this.acknowledged)
  }

  /** Sends so many reports in one write. */
  send(count: number): void {
    const now = performance.now()
    const bytes = this.#report.packets(this.sent, count)
    this.#sentAt.fill(now, this.sent, this.sent + count)
    this.sent += count
    this.socket.write(bytes)
  }

  /** Acknowledgements are four bytes each and come in order. */
  #read(chunk: Buffer): void {
    const now = performance.now()
    const count = Math.floor((this.#partial + chunk.length) / 4)
    this.#partial = (this.#partial + chunk.length) % 4
    for (let index = 0; index < count; index++) {
      this.#latencies[this.acknowledged] = now - (this.#sentAt[this.acknowledged] ?? 0)
      this.acknowledged++
    }
    this.#onAcknowledged(this, count)
  }
}

async function run(load: LoadQuestion): Promise<LoadAnswer> {
  const perConnection = Math.floor(load.reports / load.devices.length)
  let finished: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    finished = resolve
  })
  let open = load.devices.length
  const isPaced = load.reportsPerSecond > 0
  const onAcknowledged = (connection: LoadConnection, count: number) => {
    if (!isPaced) {
      const more = Math.min(count, connection.limit - connection.sent)
      if (more > 0) connection.send(more)
    }
    if (connection.acknowledged === connection.limit && --open === 0) finished()
  }
  const connections: LoadConnection[] = []
  for (const { guid, key } of load.devices) {
    const socket = await signIn(load.port, guid, key)
    const report = new PreparedReport(guid, load.columns, load.firstAtMs)
    connections.push(new LoadConnection(socket, report, perConnection, onAcknowledged))
  }
  const begin = performance.now()
  if (isPaced) pace(connections, load).catch(() => process.exit(1))
  else for (const connection of connections) connection.send(Math.min(load.inFlight, connection.limit))
  await done
  const seconds = (performance.now() - begin) / 1000
  const latencies = Float64Array.from(connections.flatMap((connection) => [...connection.latencies])).sort()
  for (const { socket } of connections) socket.destroy()
  const quantile = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return { seconds, acknowledged: latencies.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
}

/** One report after the other over all connections, at an even rate, with the same window as at full speed. */
async function pace(connections: readonly LoadConnection[], { reportsPerSecond, inFlight }: LoadQuestion) {
  const begin = performance.now()
  let due = 0
  let sent = 0
  const total = connections.reduce((sum, { limit }) => sum + limit, 0)
  for (let next = 0; sent < total; ) {
    due = Math.min(total, ((performance.now() - begin) * reportsPerSecond) / 1000)
    for (let skipped = 0; sent < due && skipped < connections.length; next = (next + 1) % connections.length) {
      const connection = connections[next] as LoadConnection
      if (connection.sent < connection.limit && connection.sent - connection.acknowledged < inFlight) {
        connection.send(1)
        sent++
        skipped = 0
      } else skipped++
    }
    await sleep(1)
  }
}

type Question = LoadQuestion | { readonly hold: LoadQuestion } | { readonly let: 'go' }

let held: Socket[] = []

answerMessages<Question>(
  async (question) => {
    if ('hold' in question) {
      for (const { guid, key } of question.hold.devices) held.push(await signIn(question.hold.port, guid, key))
      return { held: held.length }
    }
    if ('let' in question) {
      for (const socket of held) socket.destroy()
      held = []
      return {}
    }
    return run(question)
  },
  async () => undefined,
)
