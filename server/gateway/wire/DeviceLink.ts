import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { MAXIMUM_REPORTS } from '#contract/mqtt/report.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Entering } from '#server/network/ConnectionQueue.ts'
import type { Receipt, Submission } from '#server/telemetry/ingress/submission.ts'
import type { WritePath } from '#server/telemetry/write/WritePath.ts'
import type { AckFlusher } from './AckFlusher.ts'
import { DueAcknowledgements } from './DueAcknowledgements.ts'
import { type FrameHandler, FrameReader, PUBLISH } from './FrameReader.ts'
import type { GatewayCounters } from './gatewayCounters.ts'
import { maskedTopic } from './masked.ts'
import {
  CONNECT,
  connack,
  PINGREQ,
  PINGRESP,
  PUBREL,
  type PublishHead,
  packetToken,
  pubcomp,
  publish,
  readPublishHead,
  type Telling,
} from './packets.ts'
import type { PresenceReason } from './presence.store.ts'
import type { Arrival, ReportIngress } from './ReportIngress.ts'
import type { SessionIdentity } from './sessionIdentity.ts'
import { grantedQos, NO_SUBSCRIPTIONS, type Subscriptions } from './subscriptions.ts'

/** The packets of one connection that may wait for their commit. */
const MAXIMUM_WAITING = 1000
/** The acknowledgement bytes that a device may leave unread. */
const MAXIMUM_UNREAD_BYTES = 64 * 1024
/** The bytes of messages that a device may leave unread before its connection is closed. */
const MAXIMUM_UNHEARD_BYTES = 1024 * 1024
const LAST_PACKET_ID = 0xffff
const DEBT_CHECK_MS = 50
/**
 * The reports that a device in debt may send before its connection is no longer read. It is a little more than two full
 * arrays, which our clients have in flight. A device that waits for acknowledgements must still be read, for its pings
 * and command replies.
 */
const READ_AHEAD_REPORTS = 2.5 * MAXIMUM_REPORTS

const FULL = 1
const FAR_AHEAD = 2
const TOO_MANY_WAITING = 4
const NOT_READING = 8
const STOPPING = 16
const CONNECTING = 32

export interface LinkDeps {
  readonly door: ReportIngress
  /** Takes any packet but a report, without its fixed header. The bytes are valid only during the call. */
  readonly onControl: (link: DeviceLink, firstByte: number, packet: Buffer) => void
  readonly writePath: WritePath
  readonly flusher: AckFlusher
  readonly counters: GatewayCounters
  readonly onHeard: (deviceId: DeviceId, nowMs: number) => void
  /** This is called when the connection left the queue and is read from now on. */
  readonly onBegun: (link: DeviceLink) => void
  readonly onClosed: (link: DeviceLink, reason: PresenceReason) => void
  readonly log: (sentence: string, detail: object) => void
}

/**
 * One connection of a device. Its reports go straight to the write path, and their acknowledgements come straight back
 * after the commit. A fleet has many thousands of these, so nothing is held that a resting device does not need.
 */
export class DeviceLink implements FrameHandler, Receipt, Entering {
  readonly id = randomUUID()
  /** The address of the client behind trusted proxies. */
  readonly address: string
  /** The device chose it, and another device may have chosen the same. */
  clientId = ''
  keyHash = ''
  subscriptions: Subscriptions = NO_SUBSCRIPTIONS
  session: SessionIdentity | undefined
  readonly openedMs = performance.now()
  heardMs = performance.now()
  isClosed = false
  hasHeld = false
  hasReported = false
  /** The device ended the connection properly, with a DISCONNECT. */
  hasTakenLeave = false
  readonly #socket: Duplex
  readonly #deps: LinkDeps
  readonly #reader = new FrameReader(this)
  #hasBytes = false
  #hasConnect = false
  #keepAliveMs = 0
  #pauses = 0
  #waiting = 0
  /** Reports that were read but not yet taken from the bucket. */
  #uncounted = 0
  readonly #due = new DueAcknowledgements()
  #packetId = 0
  #isFlushing = false
  #isInDebt = false

  constructor(socket: Duplex, address: string, deps: LinkDeps) {
    this.#socket = socket
    this.address = address
    this.#deps = deps
    socket.on('drain', () => this.#resume(NOT_READING))
    socket.on('error', () => this.close('disconnected'))
    socket.on('close', () => this.close('disconnected'))
  }

  get hasConnect(): boolean {
    return this.#hasConnect
  }

  begin(): void {
    this.#deps.onBegun(this)
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  /** What follows the CONNECT waits until the device is known. */
  beginSignIn(clientId: string, keepAliveSeconds: number): void {
    this.clientId = clientId
    this.#hasConnect = true
    this.#keepAliveMs = keepAliveSeconds * 1000
    this.#reader.hold()
    this.#pause(CONNECTING)
  }

  refuse(code: number): void {
    if (this.isClosed) return
    this.#reader.end()
    this.stopReading()
    this.#socket.end(connack(code), () => this.close('disconnected'))
  }

  /** Signs the device in. What it sent after its CONNECT is read now. */
  accept(session: SessionIdentity): void {
    this.session = session
    this.write(connack(0))
    this.#reader.release()
    this.#resume(CONNECTING)
    this.#afterReading()
  }

  /** Stops reading. What was read is still stored and acknowledged. */
  stopReading(): void {
    this.#pause(STOPPING)
  }

  close(reason: PresenceReason, end: (socket: Duplex) => void = (socket) => socket.destroy()): void {
    if (this.isClosed) return
    this.isClosed = true
    this.#reader.end()
    end(this.#socket)
    this.#deps.onClosed(this, reason)
  }

  /** Whether 1.5 keep-alives passed without a packet (MQTT 3.1.1, 3.1.2.10). A paused connection is not silent. */
  hasMissedKeepAlive(nowMs: number): boolean {
    return this.#keepAliveMs > 0 && this.#pauses === 0 && nowMs - this.heardMs > this.#keepAliveMs * 1.5
  }

  #read(chunk: Buffer): void {
    if (this.isClosed) return
    this.heardMs = performance.now()
    // A client that speaks another protocol is closed at once, not when the time for a CONNECT is up.
    if (!this.#hasBytes && chunk[0] !== CONNECT << 4) {
      this.malformed('something that is no CONNECT')
      return
    }
    this.#hasBytes = true
    this.#reader.push(chunk)
    this.#afterReading()
  }

  #afterReading(): void {
    const { session } = this
    if (session === undefined || this.isClosed || this.#uncounted === 0) return
    const nowMs = performance.now()
    this.#deps.onHeard(session.deviceId, nowMs)
    const debt = session.bucket.take(this.#uncounted, nowMs)
    this.#uncounted = 0
    if (debt > READ_AHEAD_REPORTS) this.#pause(FAR_AHEAD)
    if (debt > 0 && !this.#isInDebt) this.#slowDown(session)
    if (this.#waiting > MAXIMUM_WAITING) this.#pause(TOO_MANY_WAITING)
    if (this.#deps.writePath.isFull) {
      this.#pause(FULL)
      this.#deps.writePath.whenRoom(() => this.#resume(FULL))
    }
  }

  #slowDown({ bucket }: SessionIdentity): void {
    this.#deps.counters.devicesSlowedDown++
    this.#isInDebt = true
    const timer = setInterval(() => {
      const debt = bucket.debt(performance.now())
      if (this.isClosed || debt === 0) {
        clearInterval(timer)
        this.#isInDebt = false
      }
      if (debt <= READ_AHEAD_REPORTS) this.#resume(FAR_AHEAD)
      this.flush()
    }, DEBT_CHECK_MS).unref()
  }

  frame(bytes: Buffer, begin: number, body: number, end: number): void {
    const firstByte = bytes[begin] ?? 0
    const type = firstByte >> 4
    if (type === PUBLISH && this.#hasConnect) this.#publish(firstByte, bytes, body, end)
    else if (type === PINGREQ) this.write(PINGRESP)
    else if (type === PUBREL && end - body >= 2) this.write(pubcomp(bytes.readUInt16BE(body)))
    else this.#deps.onControl(this, firstByte, bytes.subarray(body, end))
  }

  #publish(firstByte: number, bytes: Buffer, body: number, end: number): void {
    const head = readPublishHead(firstByte, bytes, body, end)
    if (head === undefined) {
      this.malformed('a PUBLISH that cannot be read')
      return
    }
    const arrival = this.#arrival(head)
    if (arrival) this.#submit(arrival.packetToken, this.#deps.door.admit(arrival, bytes.subarray(head.payload, end)))
  }

  oversized(head: Buffer, firstByte: number, length: number): void {
    const read = readPublishHead(firstByte, head, 0, head.length)
    if (!this.#hasConnect || read === undefined) {
      this.malformed('a packet that is too long and cannot be read')
      return
    }
    const arrival = this.#arrival(read)
    if (arrival) this.#submit(arrival.packetToken, this.#deps.door.refuse(arrival, length - read.payload))
  }

  #arrival({ topic, qos, packetId }: PublishHead): Arrival | undefined {
    const below = this.#ownTopic(topic)
    if (below === undefined || this.session === undefined) return undefined
    const { deviceId } = this.session
    return {
      deviceId,
      topic: below,
      receipt: this,
      packetToken: packetToken(qos, packetId),
      arrivedAtMs: this.heardMs,
    }
  }

  #submit(token: number, submission: Submission | 'held' | undefined): void {
    if (submission === undefined || submission === 'held') {
      this.hasHeld ||= submission === 'held'
      this.#count(token, 1)
      return
    }
    // Each element of an array counts by itself, whether it was accepted or refused.
    this.#count(token, submission.reports.length + submission.rejections.length)
    this.#deps.writePath.submit(submission)
  }

  #count(token: number, elements: number): void {
    const reports = Math.max(1, elements)
    this.hasReported = true
    this.#waiting++
    this.#uncounted += reports
    if (token !== 0) this.#due.expect(token, reports)
  }

  /** Returns the topic below the device's own root. Any other topic closes the connection. */
  #ownTopic(topic: string): string | undefined {
    const { session } = this
    if (session !== undefined && topic.startsWith(session.root) && !/[#+\0]/.test(topic)) {
      return topic.slice(session.root.length)
    }
    this.#deps.counters.topicsDenied++
    this.#deps.log('A device published to a foreign topic; its connection was closed.', {
      deviceId: session?.deviceId,
      topic: maskedTopic(topic),
    })
    this.close('disconnected')
    return undefined
  }

  malformed(reason: string): void {
    this.#deps.counters.packetsMalformed++
    this.#deps.log(`A device sent ${reason}; its connection was closed.`, { deviceId: this.session?.deviceId })
    this.close('disconnected')
  }

  stored(token: number): void {
    this.#waiting--
    if (this.#pauses & TOO_MANY_WAITING && this.#waiting < MAXIMUM_WAITING / 2) this.#resume(TOO_MANY_WAITING)
    if (token === 0 || this.isClosed) return
    this.#due.stored(token)
    if (this.#isFlushing) return
    this.#isFlushing = true
    this.#deps.flusher.add(this)
  }

  flush(): void {
    this.#isFlushing = false
    if (this.isClosed) return
    const debt = this.#isInDebt ? this.session?.bucket.debt(performance.now()) : 0
    const due = this.#due.take(debt ?? 0)
    if (due !== undefined) this.write(due)
  }

  wants(topic: string): boolean {
    return !this.isClosed && this.#grantedQos(topic) !== undefined
  }

  /** Sends a message if the connection subscribed to it. Nothing is kept for later. @returns whether it was written */
  tell(telling: Telling): boolean {
    const granted = this.isClosed ? undefined : this.#grantedQos(telling.topic)
    if (granted === undefined) return false
    if (this.#socket.writableLength > MAXIMUM_UNHEARD_BYTES) {
      this.close('disconnected')
      return false
    }
    const qos = Math.min(telling.qos, granted)
    if (qos > 0) this.#packetId = (this.#packetId % LAST_PACKET_ID) + 1
    this.write(publish({ ...telling, qos }, this.#packetId))
    return true
  }

  #grantedQos(topic: string): number | undefined {
    const { session } = this
    return session && grantedQos(this.subscriptions, topic.slice(session.root.length))
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes)
    if (this.#socket.writableLength > MAXIMUM_UNREAD_BYTES) this.#pause(NOT_READING)
  }

  #pause(cause: number): void {
    if (this.#pauses === 0) this.#socket.pause()
    this.#pauses |= cause
  }

  #resume(cause: number): void {
    if ((this.#pauses & cause) === 0) return
    this.#pauses &= ~cause
    if (this.#pauses !== 0 || this.isClosed) return
    this.heardMs = performance.now()
    this.#socket.resume()
  }
}
