import { connect, type MqttClient } from 'mqtt'
import type { Command } from '#contract/mqtt/command.ts'
import { commandsFilter, replyTopic } from '#contract/mqtt/topics.ts'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { eventually, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'

const RECONNECT_MS = 200
const CONNECT_WITHIN_MS = 5_000
const KEEPALIVE_SECONDS = 5
const IN_FLIGHT = 2
const SETTLED_WITHIN_MS = 2 * MINUTE_MS

export interface Pace {
  /** The time between an acknowledgement and the next report. */
  readonly everyMs: number
  /** The time of the first report by the device's clock. */
  readonly sinceMs?: number
  readonly stepMs?: number
}

interface Execution {
  readonly id: string
  readonly isLate: boolean
}

/** A device that records what it sent, what was acknowledged, and its commands. */
export class FleetDevice {
  readonly device: TestDevice
  readonly client: MqttClient
  /** The sent value by device time. */
  readonly sent = new Map<number, number>()
  readonly acknowledged = new Set<number>()
  readonly executed: Execution[] = []
  readonly replied = new Set<string>()
  longestWaitMs = 0
  readonly #chance: () => number
  readonly #everyMs: number
  readonly #firstMs: number
  readonly #stepMs: number
  readonly #pauses = new Set<NodeJS.Timeout>()
  #isStopping = false
  #inFlight = 0

  /** Reports lie in the past, a second apart, unless `pace` says otherwise. */
  constructor(device: TestDevice, port: number, chance: () => number, pace: Pace) {
    const { everyMs, sinceMs = Date.now() - 60 * MINUTE_MS, stepMs = SECOND_MS } = pace
    this.device = device
    this.#chance = chance
    this.#everyMs = everyMs
    this.#firstMs = Math.floor(sinceMs / SECOND_MS) * SECOND_MS
    this.#stepMs = stepMs
    this.client = connect(`mqtt://127.0.0.1:${port}`, {
      username: device.guid,
      password: device.key,
      clientId: device.guid,
      keepalive: KEEPALIVE_SECONDS,
      reconnectPeriod: RECONNECT_MS,
      // A server that refuses it may be the wrong one.
      reconnectOnConnackError: true,
      connectTimeout: CONNECT_WITHIN_MS,
    })
    this.client.on('error', () => undefined)
    this.client.on('message', (topic, payload) => this.#execute(topic, JSON.parse(payload.toString()) as Command))
    this.client.subscribe(commandsFilter(device.guid), { qos: 1 }, () => undefined)
    for (let index = 0; index < IN_FLIGHT; index++) this.#publish()
  }

  #execute(topic: string, { expiresAt }: Command): void {
    const id = topic.split('/').at(-1) ?? ''
    this.executed.push({ id, isLate: Date.now() > Date.parse(expiresAt) })
    this.replied.add(id)
    const text = JSON.stringify({ ok: true, text: 'Done.', errors: [] })
    this.client.publish(replyTopic(this.device.guid, id), text, { qos: 1 }, () => undefined)
  }

  #publish(): void {
    const at = this.#firstMs + this.sent.size * this.#stepMs
    this.#inFlight++
    // The client itself repeats what was not acknowledged when the connection broke.
    this.#send(at, Math.floor(this.#chance() * 100), () => {
      this.#inFlight--
      this.#publishLater(this.#everyMs * 2 * this.#chance())
    })
  }

  #publishLater(pauseMs: number): void {
    if (this.#isStopping) return
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      this.#publish()
    }, pauseMs)
    this.#pauses.add(pause)
  }

  #send(at: number, load: number, onEnd: () => void): void {
    this.sent.set(at, load)
    const beganAt = performance.now()
    const report = JSON.stringify({ at: new Date(at).toISOString(), values: { load } })
    this.client.publish(`v1/devices/${this.device.guid}/events/ups`, report, { qos: 1 }, (error) => {
      if (!error) {
        this.acknowledged.add(at)
        this.longestWaitMs = Math.max(this.longestWaitMs, performance.now() - beganAt)
      }
      onEnd()
    })
  }

  /** Resolves when this newest report is acknowledged. */
  reportNow(load: number): Promise<void> {
    return new Promise((resolve) => this.#send(Date.now(), load, resolve))
  }

  /** Sends nothing new from now on. @returns true when everything under way was acknowledged */
  async settle(): Promise<boolean> {
    this.#isStopping = true
    // A report sent after the comparison begins would be missing in it.
    for (const pause of this.#pauses) clearTimeout(pause)
    const left = await eventually(
      async () => this.#inFlight,
      (count) => count === 0,
      SETTLED_WITHIN_MS,
    )
    return left === 0
  }

  close(): void {
    this.client.end(true)
  }
}
