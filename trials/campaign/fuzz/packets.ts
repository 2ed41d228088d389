import { connect, type Socket } from 'node:net'
import { generate, type Packet } from 'mqtt-packet'
import { commandsFilter, eventsTopic, messagesTopic, replyTopic, settingsTopic } from '#contract/mqtt/topics.ts'
import { EVENT_TYPES } from '#domain/catalogue/eventTypes.ts'
import type { TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { among, type Random, type Schema, valueFor } from './values.ts'

const SIGNED_IN = 0.85
const FLIPPED = 0.25
const RANDOM = 0.1

/** One device that sends what no device would, on connections that the server ends again and again. */
export class WildDevice {
  readonly #port: number
  readonly #device: TestDevice
  readonly #random: Random
  #socket: Socket | undefined

  constructor(port: number, device: TestDevice, random: Random) {
    this.#port = port
    this.#device = device
    this.#random = random
  }

  /** Resolves when the operating system has taken it. */
  async send(): Promise<void> {
    const socket = await this.#connected()
    const bytes = this.#packet()
    if (socket.destroyed || socket.write(bytes)) return
    await eitherOf(socket, 'drain')
  }

  end(): void {
    this.#socket?.destroy()
  }

  async #connected(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed) return this.#socket
    const socket = connect(this.#port, '127.0.0.1')
    this.#socket = socket
    // Nobody reads what the server says.
    socket.on('error', () => undefined).resume()
    await eitherOf(socket, 'connect')
    if (this.#random() < SIGNED_IN) {
      const { guid, key } = this.#device
      socket.write(
        generate({ cmd: 'connect', clientId: guid, username: guid, password: Buffer.from(key), keepalive: 60 }),
      )
      await eitherOf(socket, 'data')
    }
    return socket
  }

  #packet(): Buffer {
    const random = this.#random
    if (random() < RANDOM)
      return Buffer.from(Array.from({ length: Math.floor(random() * 300) }, () => Math.floor(random() * 256)))
    const packet = generate(this.#valid())
    if (random() < FLIPPED) packet[Math.floor(random() * packet.length)] = Math.floor(random() * 256)
    return random() < FLIPPED / 2 ? packet.subarray(0, Math.floor(random() * packet.length)) : packet
  }

  #valid(): Packet {
    const random = this.#random
    const messageId = 1 + Math.floor(random() * 65_535)
    const kind = random()
    if (kind < 0.8) {
      const qos = among(random, [0, 1, 1, 1, 2] as const)
      const publish = {
        cmd: 'publish',
        topic: this.#topic(),
        payload: this.#payload(),
        dup: false,
        retain: random() < 0.1,
      } as const
      return qos === 0 ? { ...publish, qos } : { ...publish, qos, messageId }
    }
    if (kind < 0.9) {
      return {
        cmd: 'subscribe',
        messageId,
        subscriptions: [{ topic: this.#topic(), qos: among(random, [0, 1, 2] as const) }],
      }
    }
    if (kind < 0.93) return { cmd: 'unsubscribe', messageId, unsubscriptions: [this.#topic()] }
    if (kind < 0.97) return { cmd: 'pingreq' }
    return among(random, [{ cmd: 'disconnect' }, { cmd: 'puback', messageId }, { cmd: 'pubrel', messageId }] as const)
  }

  #topic(): string {
    const random = this.#random
    const { guid } = this.#device
    const { topic } = among(random, EVENT_TYPES)
    return among(random, [
      eventsTopic(guid, topic, 1 + Math.floor(random() * 3)),
      eventsTopic(guid, topic, 1 + Math.floor(random() * 3)),
      eventsTopic(guid, topic, Math.floor(random() * 1e6)),
      messagesTopic(guid),
      replyTopic(guid, String(Math.floor(random() * 100))),
      commandsFilter(guid),
      settingsTopic(guid),
      `v1/devices/${guid}/`,
      'v1/devices/+/events/#',
      '$SYS/#',
      'a'.repeat(1 + Math.floor(random() * 3_000)),
    ])
  }

  #payload(): string {
    const random = this.#random
    const { fields } = among(random, EVENT_TYPES)
    const names = Array.from({ length: 1 + Math.floor(random() * 6) }, () => among(random, fields).name)
    const properties = Object.fromEntries(
      names.map((name): [string, Schema] => [name, { type: among(random, ['number', 'string', 'boolean']) }]),
    )
    const report: Schema = {
      type: 'object',
      required: ['at', 'values'],
      properties: {
        at: { type: 'string', format: 'date-time' },
        values: { type: 'object', required: names, properties },
      },
    }
    const value = random() < 0.1 ? Array.from({ length: 5 }, () => valueFor(report, random)) : valueFor(report, random)
    return random() < 0.05 ? JSON.stringify(value).slice(1) : (JSON.stringify(value) ?? '')
  }
}

/** Waits for the event or the end of the connection, whichever comes first. */
function eitherOf(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve()
    const end = () => {
      socket.off(event, end).off('close', end)
      resolve()
    }
    socket.on(event, end).on('close', end)
  })
}
