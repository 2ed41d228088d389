import type { MqttClient } from 'mqtt'
import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { connectDevice, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { type HeardStream, listenLive } from '#server/testing/liveStream.ts'
import { askServer } from '#server/testing/wholeServer/wholeServer.ts'

const GIVEN_UP_AFTER_MS = 20_000
export const PROBED_FIELD = 5104
export const PROBED_ABOVE = 50

export interface ProbeDeps {
  readonly httpUrl: string
  readonly mqttUrl: string
  readonly device: TestDevice
  /** There are several users, because one may make only so many calls a minute. */
  readonly tokens: readonly string[]
}

/** Opens alerts on one device and measures when they can be seen, from the publishing of the reading. */
export class Probe {
  readonly #deps: ProbeDeps
  readonly #client: MqttClient
  #stream: HeardStream | undefined
  #onAlerts: (event: AlertsEvent) => void = () => undefined
  #atMs = Date.now() - 3_600_000
  #calls = 0

  static async open(deps: ProbeDeps): Promise<Probe> {
    const client = await connectDevice(Number(new URL(deps.mqttUrl).port), deps.device)
    const probe = new Probe(deps, client)
    const { httpUrl, device, tokens } = deps
    probe.#stream = await listenLive(httpUrl, tokens[0] ?? '', { deviceIds: [device.id] }, ({ event, data }) => {
      if (event === 'alerts') probe.#onAlerts(data as AlertsEvent)
    })
    return probe
  }

  private constructor(deps: ProbeDeps, client: MqttClient) {
    this.#deps = deps
    this.#client = client
  }

  /** Returns the milliseconds until the live stream has the alert. */
  async untilHeard(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const givenUp = setTimeout(() => reject(new Error('An alert was never heard of.')), GIVEN_UP_AFTER_MS)
    const created = this.#nextMoment()
    const began = performance.now()
    this.#onAlerts = ({ alerts }) => {
      if (alerts.some((alert) => alert.created === created)) resolve(performance.now() - began)
    }
    const published = this.#publish(created, PROBED_ABOVE + 10)
    const tookMs = await promise
    clearTimeout(givenUp)
    await published
    await this.#clear()
    return tookMs
  }

  /** Returns the milliseconds until `GetAlertList` has it, called again as soon as it has answered. */
  async untilListed(): Promise<number> {
    const created = this.#nextMoment()
    const began = performance.now()
    const published = this.#publish(created, PROBED_ABOVE + 10)
    while (!(await this.#opened()).some((alert) => alert.created === created)) {
      if (performance.now() - began > GIVEN_UP_AFTER_MS) throw new Error('An alert was never listed.')
    }
    const tookMs = performance.now() - began
    await published
    await this.#clear()
    return tookMs
  }

  close(): void {
    this.#stream?.close()
    this.#client.end(true)
  }

  #nextMoment(): string {
    this.#atMs += 1000
    return new Date(this.#atMs).toISOString()
  }

  #publish(at: string, load: number): Promise<unknown> {
    const topic = eventsTopic(this.#deps.device.guid, 'ups')
    return this.#client.publishAsync(topic, JSON.stringify({ at, values: { load } }), { qos: 1 })
  }

  async #opened(): Promise<readonly { readonly id: number; readonly created: string }[]> {
    const query = { deviceId: this.#deps.device.id, statusId: 1, pageSize: 5 }
    const { body } = await askServer(this.#deps.httpUrl, 'Alert/GetAlertList', { token: this.#token(), query })
    return (body as { rows: { id: number; created: string }[] }).rows
  }

  /** Closes the alert and clears its condition, so that the next one opens again. */
  async #clear(): Promise<void> {
    const idList = (await this.#opened()).map(({ id }) => id)
    const close = { token: this.#token(), method: 'POST' as const, body: { idList, resolutionId: 1 } }
    const { status } = await askServer(this.#deps.httpUrl, 'Alert/CloseAlerts', close)
    if (status !== 200) throw new Error(`Closing was refused with ${status}.`)
    await this.#publish(this.#nextMoment(), PROBED_ABOVE - 10)
  }

  #token(): string {
    const { tokens } = this.#deps
    return tokens[this.#calls++ % tokens.length] ?? ''
  }
}
