import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#server/db/pool.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/freshDatabase.ts'
import { insertDevices, type TestDevice } from '#server/testing/gatewayFixture.ts'

const KILLS = 20
const DEVICES = 50
const IN_FLIGHT = 5

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

async function startProcess(port: number): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(
    new URL('../testing/gatewayProcess.ts', import.meta.url),
    [database.applicationUrl, String(port)],
    {
      execArgv: [],
    },
  )
  const [message] = await once(child, 'message')
  return { child, port: (message as { port: number }).port }
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** A device that publishes one report after the other and writes down what it sent and what was acknowledged. */
class Publisher {
  readonly device: TestDevice
  readonly #client: MqttClient
  readonly #firstMs = Date.now()
  /** By device time: the value that was sent. */
  readonly sent = new Map<number, number>()
  readonly acknowledged = new Set<number>()
  #isStopping = false
  #inFlight = 0

  constructor(device: TestDevice, port: number) {
    this.device = device
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
    const value = Math.floor(Math.random() * 1_000_000)
    this.sent.set(at, value)
    this.#inFlight++
    const report = JSON.stringify({ at: new Date(at).toISOString(), values: { battery_runtime: value } })
    // The client itself sends again what was not acknowledged when the connection broke.
    this.#client.publish(`v1/devices/${this.device.guid}/events/ups`, report, { qos: 1 }, (error) => {
      this.#inFlight--
      if (!error) this.acknowledged.add(at)
      if (!this.#isStopping) setTimeout(() => this.#publish(), 2)
    })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    const until = Date.now() + 10_000
    while (this.#inFlight > 0 && Date.now() < until) await sleep(20)
    this.#client.end(true)
  }
}

test(`over ${KILLS} kills of the server every acknowledged report is stored exactly once, and nothing that was never sent`, async () => {
  const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  const devices = await insertDevices(owner, DEVICES)
  let { child, port } = await startProcess(0)
  const publishers = devices.map((device) => new Publisher(device, port))
  for (let count = 0; count < KILLS; count++) {
    await sleep(300 + Math.random() * 700)
    await kill(child)
    child = (await startProcess(port)).child
  }
  await sleep(500)
  await Promise.all(publishers.map((publisher) => publisher.stop()))
  await kill(child)

  const tally = { sent: 0, acknowledged: 0, stored: 0, lost: 0, invented: 0, altered: 0 }
  for (const { device, sent, acknowledged } of publishers) {
    const { rows } = await owner.query<{ device_dt: Date; battery_runtime: number; number: number }>(
      'select device_dt, battery_runtime, number from reading_ups where device_id = $1',
      [device.id],
    )
    const stored = new Map(rows.map((row) => [row.device_dt.getTime(), row.battery_runtime]))
    tally.sent += sent.size
    tally.acknowledged += acknowledged.size
    tally.stored += rows.length
    expect(stored.size, 'no report is stored twice').toBe(rows.length)
    for (const at of acknowledged) if (!stored.has(at)) tally.lost++
    for (const [at, value] of stored) {
      if (!sent.has(at)) tally.invented++
      else if (sent.get(at) !== value) tally.altered++
    }
  }
  await owner.end()
  console.log(`${KILLS} kills: ${JSON.stringify(tally)}`)
  expect(tally.acknowledged).toBeGreaterThan(KILLS * DEVICES)
  expect(tally).toMatchObject({ lost: 0, invented: 0, altered: 0 })
}, 120_000)
