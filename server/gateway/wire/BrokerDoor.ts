import type { AuthenticateError, Client, ConnectPacket, Subscription } from 'aedes'
import { topicRoot } from '#contract/mqtt/topics.ts'
import { BrokerSide } from './BrokerSide.ts'
import type { Credentials, DeviceIdentity } from './credentials.ts'
import { DeviceBroker } from './DeviceBroker.ts'
import type { DeviceLink } from './DeviceLink.ts'
import type { GatewayCounters } from './gatewayCounters.ts'
import { maskedName, maskedTopic } from './masked.ts'
import { SignInLimit } from './SignInLimit.ts'

const CONNECT_WITHIN_MS = 10_000
const SERVER_UNAVAILABLE = 3
const BAD_USER_NAME_OR_PASSWORD = 4
const NOT_AUTHORIZED = 5

export interface BrokerDoorNeeds {
  readonly counters: GatewayCounters
  readonly authenticate: (shown: Credentials) => Promise<DeviceIdentity | undefined>
  /** A client has tried too many wrong keys to be let try another. */
  readonly onLimited: (address: string) => void
  /** The CONNACK is on its way. */
  readonly onConnected: (link: DeviceLink, identity: DeviceIdentity) => void
  /** The SUBACK is on its way. */
  readonly onSubscribed: (link: DeviceLink, filters: readonly string[]) => void
  readonly log: (sentence: string, detail: object) => void
}

/** Lets devices in and keeps them to their own subtree; everything else the broker does by itself. */
export class BrokerDoor {
  readonly #needs: BrokerDoorNeeds
  readonly #broker: DeviceBroker
  readonly #links = new WeakMap<object, DeviceLink>()
  readonly #clients = new WeakMap<DeviceLink, Client>()
  readonly #identities = new WeakMap<DeviceLink, DeviceIdentity>()
  readonly #limit = new SignInLimit()
  #connections = 0

  constructor(needs: BrokerDoorNeeds) {
    this.#needs = needs
    this.#broker = new DeviceBroker({
      connectTimeout: CONNECT_WITHIN_MS,
      preConnect: (client, packet, done) => this.#preConnect(client, packet, done),
      authenticate: (client, username, password, done) => {
        this.#authenticate(client, username, password).then(
          () => done(null, true),
          (refusal: AuthenticateError) => done(refusal, false),
        )
      },
      // Reports never come this way, and nobody else has anything to publish.
      authorizePublish: (_client, _packet, done) => done(new Error('Nothing is published through the broker.')),
      authorizeSubscribe: (client, subscription, done) => this.#authorizeSubscribe(client, subscription, done),
    })
    this.#broker.on('clientReady', (client) => {
      const link = this.#linkOf(client)
      const identity = link && this.#identities.get(link)
      if (link !== undefined && identity !== undefined) needs.onConnected(link, identity)
    })
    this.#broker.on('subscribe', (subscriptions, client) => {
      const link = this.#linkOf(client)
      if (link !== undefined)
        needs.onSubscribed(
          link,
          subscriptions.map(({ topic }) => topic),
        )
    })
    this.#broker.addListener('error', (error: unknown) => needs.log('The broker met an error.', { error }))
  }

  listen(): Promise<void> {
    return this.#broker.listen()
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#broker.close(() => resolve()))
  }

  handle(link: DeviceLink): void {
    this.#links.set(link.brokerSide, link)
    this.#clients.set(link, this.#broker.handle(link.brokerSide))
  }

  /** To this one connection; never kept for later. */
  send(link: DeviceLink, packet: { topic: string; payload: string; qos: 0 | 1; retain: boolean }): void {
    if (link.isClosed) return
    this.#clients.get(link)?.publish({ cmd: 'publish', dup: false, ...packet }, () => undefined)
  }

  #linkOf(client: Client): DeviceLink | undefined {
    return client.conn instanceof BrokerSide ? this.#links.get(client.conn) : undefined
  }

  #preConnect(client: Client, packet: ConnectPacket, done: (error: Error | null, success: boolean) => void) {
    const link = this.#linkOf(client)
    if (link === undefined) return done(new Error('No connection of a device.'), false)
    link.clientId = packet.clientId
    link.willTopic = packet.will?.topic
    delete packet.will
    // Two devices may choose the same client id; for the broker it would be the same client.
    this.#connections++
    packet.clientId = `c${this.#connections.toString(36)}`
    done(null, true)
  }

  async #authenticate(client: Client, username: string | undefined, key: Buffer | undefined): Promise<void> {
    const link = this.#linkOf(client)
    if (link === undefined) throw refusal(NOT_AUTHORIZED, 'No connection of a device.')
    while (!this.#limit.take(link.address, username)) {
      // A router stands before many devices, whose keys are right: they wait for each other, and none is refused.
      const judged = this.#limit.nextJudged(link.address)
      if (judged === undefined) {
        this.#needs.counters.connectionsRefused++
        this.#needs.onLimited(link.address)
        throw refusal(SERVER_UNAVAILABLE, 'Too many wrong keys from this address.')
      }
      await judged
    }
    let identity: DeviceIdentity | undefined
    try {
      identity = await this.#needs.authenticate({ username, key })
    } catch (error) {
      this.#limit.giveBack(link.address)
      this.#needs.log('A device could not be authenticated, because the database did not answer.', { error })
      throw refusal(SERVER_UNAVAILABLE, 'The server is unavailable.')
    }
    if (identity === undefined) {
      this.#limit.keep(link.address)
      this.#needs.counters.connectionsRefused++
      this.#needs.log('A connection with a wrong guid or key was refused.', {
        username: username && maskedName(username),
        client: link.address,
      })
      throw refusal(BAD_USER_NAME_OR_PASSWORD, 'Wrong guid or key.')
    }
    this.#limit.forgive(link.address, identity.guid)
    if (link.willTopic !== undefined && !link.willTopic.startsWith(topicRoot(identity.guid))) {
      this.#needs.counters.connectionsRefused++
      this.#needs.counters.topicsDenied++
      this.#needs.log('A connection with a will for a foreign topic was refused.', { deviceId: identity.deviceId })
      throw refusal(NOT_AUTHORIZED, 'A will for a foreign topic.')
    }
    this.#identities.set(link, identity)
  }

  /** A foreign filter closes the connection. */
  #authorizeSubscribe(
    client: Client,
    subscription: Subscription,
    done: (error: Error | null, subscription?: Subscription | null) => void,
  ) {
    const root = this.#linkOf(client)?.session?.root
    if (root !== undefined && subscription.topic.startsWith(root)) return done(null, subscription)
    this.#needs.counters.topicsDenied++
    this.#needs.log('A device subscribed to a foreign topic; its connection was closed.', {
      topic: maskedTopic(subscription.topic),
    })
    done(new Error('A foreign topic.'))
  }
}

function refusal(returnCode: number, message: string): AuthenticateError {
  return Object.assign(new Error(message), { returnCode })
}
