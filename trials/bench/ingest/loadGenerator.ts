import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMessages, processorMs } from '../../frame/answerMessages.ts'
import { signInAll } from '../../frame/signIn.ts'
import { recordAgents } from './agentMinutes.ts'
import { BENCH_MODEL } from './benchDevices.ts'
import { Latencies } from './Latencies.ts'
import { PreparedLooks } from './PreparedLooks.ts'
import { type PreparedPackets, PreparedReport } from './PreparedReport.ts'

/** Publishes with raw sockets and prepared packets, so that the load costs next to nothing. */

interface OpenQuestion {
  /** The connections have this name. */
  readonly open: string
  /** Devices take turns at these ports. */
  readonly ports: readonly number[]
  readonly devices: readonly { readonly guid: string; readonly key: string }[]
  /** Reports of a display have these values; `agent` sends what agents were recorded to send. */
  readonly columns: readonly string[] | 'agent'
  /** Device time of the first report of each device; each later one is `stepMs` younger. */
  readonly firstAtMs: number
  readonly stepMs?: number
  readonly spanMs?: number
}

interface SendQuestion {
  readonly send: string
  readonly seconds: number
  /** Limits one connection. */
  readonly inFlight: number
  /** 0 means as fast as acknowledgements come. */
  readonly reportsPerSecond: number
}

export type LoadQuestion = OpenQuestion | SendQuestion | { readonly close: string }

export interface LoadAnswer {
  readonly acknowledged: number
  readonly values: number
  /** Counts only while reports were sent. */
  readonly reportsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** What the load itself used. */
  readonly processorMs: number
}

class LoadConnection {
  readonly socket: Socket
  readonly #report: PreparedPackets
  /** Reports wait for acknowledgements, which come in order. */
  readonly #sentAt: number[] = []
  #partial = 0
  sent = 0
  values = 0
  latencies = new Latencies()
  onAcknowledged: (connection: LoadConnection, count: number) => void = () => undefined

  constructor(socket: Socket, report: PreparedPackets) {
    this.socket = socket
    this.#report = report
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.once('close', endedByServer)
  }

  get waiting(): number {
    return this.#sentAt.length
  }

  /**
   * Sends in one write what goes out together.
   *
   * @returns the number of reports
   */
  send(room: number): number {
    const now = performance.now()
    const count = this.#report.together(this.sent, room)
    for (let index = 0; index < count; index++) this.#sentAt.push(now)
    const bytes = this.#report.packets(this.sent, count)
    this.values += this.#report.values(this.sent, count)
    this.sent += count
    this.socket.write(bytes)
    return count
  }

  /** Acknowledgements are four bytes each. */
  #read(chunk: Buffer): void {
    const now = performance.now()
    const count = Math.floor((this.#partial + chunk.length) / 4)
    this.#partial = (this.#partial + chunk.length) % 4
    for (const sentAt of this.#sentAt.splice(0, count)) this.latencies.add(now - sentAt)
    this.onAcknowledged(this, count)
  }
}

function endedByServer() {
  console.error('A connection of the load was closed.')
  process.exit(1)
}

const opened = new Map<string, readonly LoadConnection[]>()

async function open(question: OpenQuestion): Promise<object> {
  const { ports, devices, columns, firstAtMs, stepMs = 1, spanMs = Number.MAX_SAFE_INTEGER } = question
  const sockets = await signInAll(devices, (index) => ports[index % ports.length] ?? 0)
  const recorded = columns === 'agent' ? await recordAgents(BENCH_MODEL) : []
  const connections = sockets.map((socket, index) => {
    const guid = devices[index]?.guid ?? ''
    const report =
      columns === 'agent'
        ? new PreparedLooks(guid, recorded[index % recorded.length] ?? [], { firstAtMs, stepMs })
        : new PreparedReport(guid, columns, { firstAtMs, stepMs, spanMs })
    return new LoadConnection(socket, report)
  })
  opened.set(question.open, connections)
  return { connections: connections.length }
}

function close(name: string): object {
  for (const { socket } of opened.get(name) ?? []) socket.off('close', endedByServer).destroy()
  opened.delete(name)
  return {}
}

async function send({ send: name, seconds, inFlight, reportsPerSecond }: SendQuestion): Promise<LoadAnswer> {
  const connections = opened.get(name) ?? []
  const valuesBefore = valuesOf(connections)
  const latencies = new Latencies()
  const usedBefore = processorMs()
  const begin = performance.now()
  const end = begin + seconds * 1000
  let acknowledgedInTime = 0
  let waiting = 0
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const isPaced = reportsPerSecond > 0
  const fill = (connection: LoadConnection) => {
    while (connection.waiting < inFlight) waiting += connection.send(inFlight - connection.waiting)
  }
  const onAcknowledged = (connection: LoadConnection, count: number) => {
    const isInTime = performance.now() < end
    if (isInTime) acknowledgedInTime += count
    waiting -= count
    if (isInTime && !isPaced) fill(connection)
    if (waiting === 0 && !isInTime) finish()
  }
  for (const connection of connections) Object.assign(connection, { latencies, onAcknowledged })
  if (isPaced) {
    await pace(connections, { begin, end, reportsPerSecond, inFlight }, (count) => {
      waiting += count
    })
    if (waiting === 0) finish()
  } else {
    if (connections.length === 0) finish()
    for (const connection of connections) fill(connection)
  }
  await done
  const { count: acknowledged, quantile } = latencies
  return {
    acknowledged,
    values: valuesOf(connections) - valuesBefore,
    reportsPerSecond: acknowledgedInTime / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    processorMs: processorMs() - usedBefore,
  }
}

const valuesOf = (connections: readonly LoadConnection[]) => connections.reduce((all, { values }) => all + values, 0)

interface Pace {
  readonly begin: number
  readonly end: number
  readonly reportsPerSecond: number
  readonly inFlight: number
}

/** Sends one report or look after the other over all connections, at an even rate, with the same window as at full speed. */
async function pace(
  connections: readonly LoadConnection[],
  { begin, end, reportsPerSecond, inFlight }: Pace,
  onSent: (count: number) => void,
) {
  let sent = 0
  for (let next = 0; performance.now() < end; await sleep(1)) {
    const due = ((performance.now() - begin) * reportsPerSecond) / 1000
    for (let skipped = 0; sent < due && skipped < connections.length; next = (next + 1) % connections.length) {
      const connection = connections[next] as LoadConnection
      if (connection.waiting >= inFlight) {
        skipped++
        continue
      }
      const count = connection.send(1)
      onSent(count)
      sent += count
      skipped = 0
    }
  }
}

answerMessages<LoadQuestion>(
  async (question) => {
    if ('open' in question) return open(question)
    if ('close' in question) return close(question.close)
    return send(question)
  },
  async () => undefined,
)
