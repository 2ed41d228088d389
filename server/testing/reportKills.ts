import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type MqttClient } from 'mqtt'
import type pg from 'pg'
import { readCurrentState } from '../telemetry/state/currentState.ts'
import type { TestDevice } from './gatewayFixture.ts'
import { eventually } from './gatewayFixture.ts'
import { passTime } from './passTime.ts'
import { kill } from './powerKills.ts'

const IN_FLIGHT = 5
/** What was sent once more after the last kill is acknowledged by then. */
const SETTLED_WITHIN_MS = 60_000

/** A device that publishes one report after the other and writes down what it sent and what was acknowledged. */
class Publisher {
  readonly device: TestDevice
  readonly #client: MqttClient
  readonly #chance: () => number
  readonly #firstMs = Date.now()
  /** By device time: the value that was sent. */
  readonly sent = new Map<number, number>()
  readonly acknowledged = new Set<number>()
  #isStopping = false
  inFlight = 0

  constructor(device: TestDevice, port: number, chance: () => number) {
    this.device = device
    this.#chance = chance
    this.#client = connect(`mqtt://127.0.0.1:${port}`, {
      username: device.guid,
      password: device.key,
      reconnectPeriod: 50,
      connectTimeout: 2000,
    })
    this.#client.on('error', () => undefined)
    for (let index = 0; index < IN_FLIGHT; index++) this.#publish()
  }

  #publish(): void {
    const at = this.#firstMs + this.sent.size
    const value = Math.floor(this.#chance() * 1_000_000)
    this.sent.set(at, value)
    this.inFlight++
    const report = JSON.stringify({ at: new Date(at).toISOString(), values: { battery_runtime: value } })
    // The client itself sends again what was not acknowledged when the connection broke.
    this.#client.publish(`v1/devices/${this.device.guid}/events/ups`, report, { qos: 1 }, (error) => {
      this.inFlight--
      if (!error) this.acknowledged.add(at)
      if (!this.#isStopping) setTimeout(() => this.#publish(), 2)
    })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await eventually(
      async () => this.inFlight,
      (count) => count === 0,
      SETTLED_WITHIN_MS,
    )
    this.#client.end(true)
  }
}

async function startProcess(applicationUrl: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const script = new URL('./gatewayProcess.ts', import.meta.url)
  const child = fork(script, [applicationUrl, String(port)], { execArgv: [] })
  const [message] = await once(child, 'message')
  return { child, port: (message as { port: number }).port }
}

export interface ReportKillNeeds {
  readonly applicationUrl: string
  readonly owner: pg.Pool
  readonly devices: readonly TestDevice[]
  /** One kill each. */
  readonly rounds: Iterable<number>
  /** From 0 up to below 1. */
  readonly chance: () => number
}

export interface ReportTally {
  readonly sent: number
  readonly acknowledged: number
  readonly stored: number
  /** Everything from here on has to be 0. */
  readonly lost: number
  readonly twice: number
  readonly invented: number
  readonly altered: number
  /** Devices of which the current state is not their newest reading. */
  readonly wrongStates: number
}

/**
 * Kills the process that takes reports again and again, and compares what is stored, and what is known as the current
 * state, with what the devices know.
 */
export async function killAroundReports({ applicationUrl, owner, devices, rounds, chance }: ReportKillNeeds) {
  let { child, port } = await startProcess(applicationUrl, 0)
  const publishers = devices.map((device) => new Publisher(device, port, chance))
  const acknowledged = () => publishers.reduce((sum, publisher) => sum + publisher.acknowledged.size, 0)
  for (const _ of rounds) {
    // Each device has been heard once more, on the average, however busy the machine is.
    const before = acknowledged()
    await eventually(
      async () => acknowledged() - before,
      (count) => count >= devices.length,
      SETTLED_WITHIN_MS,
    )
    await passTime(chance() * 500, 'the blow falls anywhere')
    await kill(child)
    child = (await startProcess(applicationUrl, port)).child
  }
  await Promise.all(publishers.map((publisher) => publisher.stop()))
  await kill(child)
  return compare(owner, publishers)
}

async function compare(owner: pg.Pool, publishers: readonly Publisher[]): Promise<ReportTally> {
  const tally = { sent: 0, acknowledged: 0, stored: 0, lost: 0, twice: 0, invented: 0, altered: 0, wrongStates: 0 }
  for (const { device, sent, acknowledged } of publishers) {
    const { rows } = await owner.query<{ device_dt: Date; battery_runtime: number }>(
      'select device_dt, battery_runtime from reading_ups where device_id = $1',
      [device.id],
    )
    const stored = new Map(rows.map((row) => [row.device_dt.getTime(), row.battery_runtime]))
    tally.sent += sent.size
    tally.acknowledged += acknowledged.size
    tally.stored += rows.length
    tally.twice += rows.length - stored.size
    const newestMs = Math.max(...stored.keys())
    const [state] = await readCurrentState(owner, device.id)
    if (state?.at.getTime() !== newestMs || state.value !== stored.get(newestMs)) tally.wrongStates++
    for (const at of acknowledged) if (!stored.has(at)) tally.lost++
    for (const [at, value] of stored) {
      if (!sent.has(at)) tally.invented++
      else if (sent.get(at) !== value) tally.altered++
    }
  }
  return tally
}
