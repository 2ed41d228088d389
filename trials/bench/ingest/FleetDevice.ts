import { connect, type Socket } from 'node:net'
import { generate } from 'mqtt-packet'
import { commandsFilter, settingsTopic, timeTopic, topicRoot } from '#contract/mqtt/topics.ts'
import { backOffMs } from '#device/agent/link/backOff.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { LOOK_EVERY_MS, type Look, RECORDED_MS } from './agentMinutes.ts'
import type { BenchDevice } from './benchDevices.ts'
import type { FleetBook } from './FleetBook.ts'
import { cutPackets, publishPacket } from './rawPackets.ts'

/** The agent's link has the same values. */
const CONNECT_TIMEOUT_MS = 15_000
const KEEP_ALIVE_SECONDS = 30
const GOOD_AFTER_MS = 20_000
/** The agent's outbox has the same values. */
const MOST_IN_AN_ARRAY = 1000
const BACKLOG_IN_FLIGHT = 2

const [CONNACK, PUBLISH, PUBACK, SUBACK] = [2, 3, 4, 9]
const PINGREQ = Buffer.from([0xc0, 0])

interface FleetDeviceDeps extends BenchDevice {
  readonly port: number
  readonly localAddress: string
  readonly looks: readonly Look[]
  /** A device that does not report is only connected. */
  readonly reports: boolean
  readonly book: FleetBook
}

interface Waiting {
  readonly topic: string
  readonly payloads: readonly string[]
  readonly values: number
  readonly sentAtMs: number
  readonly isBacklog: boolean
}

/** The device gave up without an answer: the server may have admitted it, and then seen it leave. */
const UNKNOWN = '(?:10)?'
const ONLINE = '1'
const OFFLINE = '0'

/**
 * Behaves like an agent: it connects and subscribes, reports everything once connected and every minute, and changes in
 * between, keeps what was not acknowledged, and returns by the agent's back-off. It is only cheaper: a bare socket, and
 * recorded readings.
 */
export class FleetDevice {
  readonly guid: string
  readonly ledger: string[] = []
  readonly #deps: FleetDeviceDeps
  readonly #root: string
  readonly #unsent = new Map<string, string[]>()
  readonly #waiting = new Map<number, Waiting>()
  #backlogInFlight = 0
  #socket: Socket | undefined
  #rest: Buffer = Buffer.alloc(0)
  #isLetIn = false
  #upSinceMs = 0
  #failures = 0
  #packetId = 0
  #lastSentMs = 0
  #nextLook: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #onUp: () => void = () => undefined
  /** This side is ending the present connection. */
  #isClosing = false
  #isEnded = false
  #isFresh = true
  #isReporting: boolean

  constructor(deps: FleetDeviceDeps) {
    this.#deps = deps
    this.guid = deps.guid
    this.#isReporting = deps.reports
    this.#root = topicRoot(deps.guid as DeviceGuid)
  }

  get isUp(): boolean {
    return this.#upSinceMs > 0
  }

  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#onUp = resolve
      this.#open()
    })
  }

  /** Makes a device that was only connected report everything. */
  report(): void {
    this.#isReporting = true
    this.#look(0)
    this.#takePlaceInMinute()
  }

  /** Cuts the connection without a word, as a modem does that loses the network. */
  cut(): void {
    this.#isClosing = true
    this.#socket?.resetAndDestroy()
  }

  end(): void {
    this.#isEnded = true
    this.#isClosing = true
    clearTimeout(this.#nextLook)
    clearTimeout(this.#retry)
    this.#socket?.destroy()
  }

  keepAlive(nowMs: number): void {
    if (this.isUp && nowMs - this.#lastSentMs >= KEEP_ALIVE_SECONDS * 1000) this.#write(PINGREQ)
  }

  #open(): void {
    const { port, localAddress, guid, key, book } = this.#deps
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    this.#socket = socket
    this.#rest = Buffer.alloc(0)
    this.#isClosing = false
    const timeout = setTimeout(() => {
      book.timedOut++
      this.ledger.push(UNKNOWN)
      this.#isClosing = true
      socket.destroy()
    }, CONNECT_TIMEOUT_MS)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      this.#rest = cutPackets(this.#rest, chunk, (type, packet) => {
        if (type === CONNACK) clearTimeout(timeout)
        this.#read(type, packet)
      })
    })
    socket.once('close', () => {
      clearTimeout(timeout)
      this.#closed()
    })
    this.#write(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: `agent-${guid}`,
        keepalive: KEEP_ALIVE_SECONDS,
        username: guid,
        password: Buffer.from(key),
      }),
    )
  }

  #read(type: number, packet: Buffer): void {
    if (type === PUBACK) this.#acknowledged(packet.readUInt16BE(2))
    else if (type === PUBLISH) this.#answer(packet)
    else if (type === SUBACK) this.#up()
    else if (type === CONNACK) this.#letIn(packet[3] ?? 0)
  }

  #letIn(code: number): void {
    if (code !== 0) {
      this.#deps.book.refused++
      this.#isClosing = true
      this.#socket?.destroy()
      return
    }
    this.#isLetIn = true
    this.ledger.push(ONLINE)
    const guid = this.#deps.guid as DeviceGuid
    const filters = [timeTopic(guid), settingsTopic(guid), commandsFilter(guid)]
    const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const }))
    this.#write(generate({ cmd: 'subscribe', messageId: this.#nextId(), subscriptions }))
  }

  #up(): void {
    this.#upSinceMs = performance.now()
    this.#deps.book.up++
    this.#onUp()
    if (!this.#isReporting) return
    const words = this.#isFresh ? 'Connected.' : 'Reconnected after 00:00:05.'
    this.#publish('messages', [`{"at":"${new Date().toISOString()}","msg":"${words}"}`], 0, false)
    clearTimeout(this.#nextLook)
    this.#look(0)
    this.#sendBacklog()
    if (this.#isFresh) this.#takePlaceInMinute()
    this.#isFresh = false
  }

  /** A real fleet was not switched on in one moment. */
  #takePlaceInMinute(): void {
    clearTimeout(this.#nextLook)
    const index = Math.floor(Math.random() * this.#deps.looks.length)
    this.#nextLook = setTimeout(() => this.#look(index), Math.random() * LOOK_EVERY_MS)
  }

  /** The settings are a message that the device acknowledges. */
  #answer(packet: Buffer): void {
    const qos = ((packet[0] ?? 0) >> 1) & 3
    if (qos === 0) return
    let at = 2
    while ((packet[at - 1] ?? 0) > 127) at++
    const idAt = at + 2 + packet.readUInt16BE(at)
    this.#write(Buffer.from([0x40, 2, packet[idAt] ?? 0, packet[idAt + 1] ?? 0]))
  }

  /** Sampling goes on while the device is offline, and its reports are kept. */
  #look(index: number): void {
    const { looks } = this.#deps
    const look = looks[index % looks.length]
    if (look === undefined) return
    const at = new Date().toISOString()
    // One write sends them all: the agent makes several, which would cost this process more than the server.
    this.#socket?.cork()
    for (const { topic, json, values } of look.reports) {
      const payload = `{"at":"${at}","values":${json}}`
      if (this.isUp) this.#publish(topic, [payload], values, false)
      else this.#keep(topic, [payload])
    }
    this.#socket?.uncork()
    const next = looks[(index + 1) % looks.length]
    const waitMs = ((next?.offsetMs ?? 0) - look.offsetMs + RECORDED_MS) % RECORDED_MS
    this.#nextLook = setTimeout(() => this.#look(index + 1), waitMs)
  }

  #keep(topic: string, payloads: readonly string[]): void {
    const kept = this.#unsent.get(topic)
    if (kept === undefined) this.#unsent.set(topic, [...payloads])
    else kept.push(...payloads)
  }

  #sendBacklog(): void {
    for (const [topic, payloads] of this.#unsent) {
      if (this.#backlogInFlight >= BACKLOG_IN_FLIGHT) return
      this.#unsent.delete(topic)
      if (topic === 'messages') continue
      this.#backlogInFlight++
      this.#publish(topic, payloads.slice(0, MOST_IN_AN_ARRAY), 0, true)
    }
  }

  #publish(topic: string, payloads: readonly string[], values: number, isBacklog: boolean): void {
    const id = this.#nextId()
    const payload = payloads.length === 1 ? (payloads[0] as string) : `[${payloads.join(',')}]`
    this.#waiting.set(id, { topic, payloads, values, sentAtMs: performance.now(), isBacklog })
    this.#deps.book.sent()
    this.#write(publishPacket(this.#root + topic, id, payload))
  }

  #acknowledged(id: number): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    this.#deps.book.acknowledged(waiting.sentAtMs, waiting.values)
    if (!waiting.isBacklog) return
    this.#backlogInFlight--
    this.#sendBacklog()
  }

  #closed(): void {
    const { book } = this.#deps
    const upForMs = this.isUp ? performance.now() - this.#upSinceMs : 0
    if (this.isUp) book.up--
    if (!this.#isClosing) book[this.#isLetIn ? 'droppedLate' : 'droppedEarly']++
    if (this.#isLetIn) this.ledger.push(OFFLINE)
    this.#isLetIn = false
    this.#upSinceMs = 0
    book.lost(this.#waiting.size)
    for (const { topic, payloads } of this.#waiting.values()) this.#keep(topic, payloads)
    this.#waiting.clear()
    this.#backlogInFlight = 0
    if (this.#isEnded) return
    this.#failures = upForMs > GOOD_AFTER_MS ? 1 : this.#failures + 1
    this.#retry = setTimeout(() => this.#open(), backOffMs(this.#failures, Math.random()))
  }

  #nextId(): number {
    this.#packetId = (this.#packetId % 65_535) + 1
    return this.#packetId
  }

  #write(bytes: Buffer): void {
    this.#lastSentMs = performance.now()
    this.#socket?.write(bytes)
  }
}
