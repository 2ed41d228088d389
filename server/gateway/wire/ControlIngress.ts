import { topicRoot } from '#contract/mqtt/topics.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { ShareUses } from '#server/http/limits/SharedCounts.store.ts'
import type { Entering } from '#server/network/ConnectionQueue.ts'
import { SilentConnections } from '#server/network/SilentConnections.ts'
import { type Connect, readConnect, readSubscribe, readUnsubscribe } from './controlPackets.ts'
import type { Credentials, DeviceIdentity } from './credentials.ts'
import type { DeviceLink } from './DeviceLink.ts'
import type { GatewayCounters } from './gatewayCounters.ts'
import { maskedName, maskedTopic } from './masked.ts'
import { CONNECT, DISCONNECT, PUBACK, SUBSCRIBE, suback, UNSUBSCRIBE, unsuback } from './packets.ts'
import { SignInLimit } from './SignInLimit.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'

const CONNECT_WITHIN_MS = 10_000

/** CONNACK return codes (3.2.2.3). */
const UNACCEPTABLE_VERSION = 1
const SERVER_UNAVAILABLE = 3
const BAD_USER_NAME_OR_PASSWORD = 4
const NOT_AUTHORIZED = 5

export interface ControlIngressDeps {
  readonly counters: GatewayCounters
  readonly authenticate: (shown: Credentials) => Promise<DeviceIdentity | undefined>
  readonly onLimited: (address: string) => void
  /** The device is known, but its CONNACK is not sent yet. */
  readonly onKnown: (link: DeviceLink, identity: DeviceIdentity) => void
  readonly onSubscribed: (link: DeviceLink, topics: readonly string[]) => void
  readonly log: (sentence: string, detail: object) => void
  /** Counts wrong keys with the other processes. Without it this process counts alone. */
  readonly shareWrongKeys?: ShareUses | undefined
}

/** Signs devices in, keeps them to their own topics, and answers every packet that is no report. */
export class ControlIngress {
  readonly #deps: ControlIngressDeps
  readonly #limit: SignInLimit
  readonly #silent = new SilentConnections<Entering>(CONNECT_WITHIN_MS, (link) => link.close('disconnected'))

  constructor(deps: ControlIngressDeps) {
    this.#deps = deps
    this.#limit = new SignInLimit(deps.shareWrongKeys)
  }

  expect(link: Entering, nowMs = performance.now()): void {
    this.#silent.add(link, limitKeyOf(link.address), nowMs)
  }

  forget(link: Entering): void {
    this.#silent.remove(link)
  }

  /** Ends connections that never send their CONNECT. It must be called every second. */
  sweep(nowMs: number): void {
    this.#silent.sweep(nowMs)
  }

  /** Handles a packet that is no report, without its fixed header. The bytes are valid only during the call. */
  take(link: DeviceLink, firstByte: number, packet: Buffer): void {
    const type = firstByte >> 4
    if (type === CONNECT) this.#connect(link, packet)
    else if (type === SUBSCRIBE) this.#subscribe(link, firstByte, packet)
    else if (type === UNSUBSCRIBE) this.#unsubscribe(link, firstByte, packet)
    else if (type === DISCONNECT) {
      link.hasTakenLeave = true
      link.close('disconnected')
    }
    // A PUBACK needs no action, because nothing is kept to be sent again: commands are sent at most once
    // (docs/decisions/0022).
    else if (type !== PUBACK) link.malformed('a packet that no device sends')
  }

  #connect(link: DeviceLink, packet: Buffer): void {
    const connect = readConnect(packet)
    this.#silent.remove(link)
    if (link.hasConnect) link.malformed('a second CONNECT')
    else if (connect === undefined) link.malformed('a CONNECT that cannot be read')
    else if (connect === 'unsupported') link.refuse(UNACCEPTABLE_VERSION)
    else {
      link.beginSignIn(connect.clientId, connect.keepAliveSeconds)
      void this.#judge(link, connect).then((judged) => {
        if (typeof judged !== 'number') this.#deps.onKnown(link, judged)
        else link.refuse(judged)
      })
    }
  }

  /** @returns the identity, or the return code of the refusal */
  async #judge(link: DeviceLink, { username, key, willTopic }: Connect): Promise<DeviceIdentity | number> {
    while (!this.#limit.take(link.address, username)) {
      // Many devices with right keys may be behind one router, so they wait for each other and none is refused.
      const judged = this.#limit.nextJudged(link.address)
      if (judged === undefined) {
        this.#deps.counters.connectionsRefused++
        this.#deps.onLimited(link.address)
        return SERVER_UNAVAILABLE
      }
      await judged
    }
    let identity: DeviceIdentity | undefined
    try {
      identity = await this.#deps.authenticate({ username, key })
    } catch (error) {
      this.#limit.giveBack(link.address)
      this.#deps.log('A device could not be authenticated, because the database did not answer.', { error })
      return SERVER_UNAVAILABLE
    }
    if (identity === undefined) {
      this.#limit.keep(link.address)
      this.#deps.counters.connectionsRefused++
      this.#deps.log('A connection with a wrong guid or key was refused.', {
        username: username && maskedName(username),
        client: link.address,
      })
      return BAD_USER_NAME_OR_PASSWORD
    }
    this.#limit.forgive(link.address, identity.guid)
    if (willTopic === undefined || willTopic.startsWith(topicRoot(identity.guid))) return identity
    this.#deps.counters.connectionsRefused++
    this.#deps.counters.topicsDenied++
    this.#deps.log('A connection with a will for a foreign topic was refused.', { deviceId: identity.deviceId })
    return NOT_AUTHORIZED
  }

  /** A filter outside the device's own topics closes the connection. */
  #subscribe(link: DeviceLink, firstByte: number, packet: Buffer): void {
    const asked = readSubscribe(firstByte, packet)
    if (asked === undefined || link.session === undefined) {
      link.malformed('a SUBSCRIBE that cannot be read')
      return
    }
    const { root } = link.session
    const foreign = asked.filters.find(({ topic }) => !topic.startsWith(root))
    if (foreign !== undefined) {
      this.#deps.counters.topicsDenied++
      this.#deps.log('A device subscribed to a foreign topic; its connection was closed.', {
        topic: maskedTopic(foreign.topic),
      })
      link.close('disconnected')
      return
    }
    const below = asked.filters.map(({ topic, qos }) => ({ topic: topic.slice(root.length), qos }))
    const { subscriptions, granted } = subscribe(link.subscriptions, below)
    link.subscriptions = subscriptions
    link.write(suback(asked.packetId, granted))
    this.#deps.onSubscribed(
      link,
      asked.filters.map(({ topic }) => topic),
    )
  }

  #unsubscribe(link: DeviceLink, firstByte: number, packet: Buffer): void {
    const asked = readUnsubscribe(firstByte, packet)
    if (asked === undefined || link.session === undefined) {
      link.malformed('an UNSUBSCRIBE that cannot be read')
      return
    }
    const { root } = link.session
    const below = asked.topics.filter((topic) => topic.startsWith(root)).map((topic) => topic.slice(root.length))
    link.subscriptions = unsubscribe(link.subscriptions, below)
    link.write(unsuback(asked.packetId))
  }
}
