import type { ClientProgress, ClientStep } from '#contract/mqtt/client.ts'
import { clientProgressId, releasePath } from '#contract/mqtt/client.ts'
import type { DeviceSettings } from '#contract/mqtt/settings.ts'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import type { RunningServer } from '#server/app/server.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession, type Request } from '../callers.ts'
import { freshDatabase, runFolder } from '../database/freshDatabase.ts'
import { eventually, insertDevices, type TestDevice } from '../devices/gatewayFixture.ts'
import { releaseFile, TEST_RELEASE_KEY } from '../releases.ts'
import { PlayedDevice } from './commandFixture.ts'
import { askServer, startWholeServer } from './wholeServer.ts'

type Offer = NonNullable<DeviceSettings['client']>

/** Says what a played device does with an assigned release. */
export type Temper = 'updates' | 'fails' | 'saysNothing' | 'onlyBegins'

/** Plays a device that updates its client over real MQTT and HTTP, each update once, and records its assignments. */
export class UpdatedDevice extends PlayedDevice {
  temper: Temper = 'updates'
  version = '1.0.0'
  /** Ids of updates, in the order in which they were first assigned. */
  readonly offers: string[] = []
  readonly #httpUrl: () => string

  constructor(device: TestDevice, httpUrl: () => string) {
    super(device)
    this.#httpUrl = httpUrl
    this.answerSettings = ({ version, client }) => {
      if (client) this.#take(client).catch(() => undefined)
      return { version, results: [] }
    }
  }

  say(updateId: string, step: ClientStep, more: Partial<ClientProgress> = {}): Promise<void> {
    const progress = { updateId, step, version: this.version, receivedBytes: null, reason: null, ...more }
    return this.reply(clientProgressId(updateId), progress)
  }

  async download({ sha256 }: Pick<Offer, 'sha256'>, headers: Record<string, string> = {}): Promise<Response> {
    const { guid, key } = this.device
    const authorization = `Basic ${Buffer.from(`${guid}:${key}`).toString('base64')}`
    return fetch(`${this.#httpUrl()}${releasePath(sha256)}`, { headers: { authorization, ...headers } })
  }

  async #take(offer: Offer): Promise<void> {
    if (this.offers.includes(offer.updateId)) return
    this.offers.push(offer.updateId)
    if (this.temper === 'saysNothing') return
    await this.say(offer.updateId, 'downloading', { receivedBytes: 0 })
    if (this.temper === 'onlyBegins') return
    const file = Buffer.from(await (await this.download(offer)).arrayBuffer())
    const verdict = await verifyRelease(file, [TEST_RELEASE_KEY])
    await this.say(offer.updateId, 'verifying', { receivedBytes: offer.bytes })
    await this.say(offer.updateId, 'restarting')
    if (this.temper === 'fails' || 'refusal' in verdict) {
      await this.say(offer.updateId, 'failed', { reason: 'Version 1.1.0 did not connect within two minutes.' })
      return
    }
    this.version = offer.version
    await this.say(offer.updateId, 'done')
  }
}

/** Waits for what the leader does every second, and later on a busy machine. */
export const becomes = <Value>(read: () => Promise<Value>, isRight: (value: Value) => boolean) =>
  eventually(read, isRight, 60_000)

/** Starts two whole servers on one database with a release, a staff admin, and devices that are not connected. */
export async function clientFixture({ devices: deviceCount = 1 }: { devices?: number } = {}) {
  const database = await freshDatabase()
  const owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'test owner' })
  const config = { releaseKeys: [TEST_RELEASE_KEY], dataFolder: runFolder('client') }
  const start = () => startWholeServer(database, { config })
  const here = await start()
  const there = await start()
  const servers = [here, there]
  const asked = () => servers[0] ?? here
  const devices = (await insertDevices(owner, deviceCount)).map(
    (device) => new UpdatedDevice(device, () => asked().localAddresses.httpUrl),
  )
  await owner.query('update device set status_id = 2')
  const adminId = await addUser(owner, { username: 'admin@staff.example', functions: [1] })
  const token = await openSession(owner, adminId)
  const portOf = ({ localAddresses }: RunningServer) => Number(new URL(localAddresses.mqttUrl).port)
  const ask = (path: string, more: Request = {}) => askServer(asked().localAddresses.httpUrl, path, { token, ...more })
  return {
    database,
    owner,
    here,
    there,
    devices,
    ask,
    post: (path: string, body: unknown) => ask(path, { method: 'POST', body }),
    async upload(version: string) {
      const contentBase64 = (await releaseFile(version)).toString('base64')
      return ask('Release/UploadRelease', { method: 'POST', body: { fileName: 'release.mjs', contentBase64 } })
    },
    connect: (played: UpdatedDevice, server: RunningServer = here) => played.connect(portOf(server), owner),
    rows: async <Row extends object>(sql: string, values: unknown[] = []) =>
      (await owner.query(sql, values)).rows as Row[],
    statusOf: async ({ device }: UpdatedDevice) =>
      (await owner.query('select status_id from device where id = $1', [device.id])).rows[0].status_id as number,
    async startAnother() {
      const another = await start()
      servers.push(another)
      return another
    },
    /** Calls and downloads go to the oldest server that is left. */
    async stop(server: RunningServer) {
      servers.splice(servers.indexOf(server), 1)
      await server.stop()
    },
    async close() {
      for (const { client } of devices) client?.end(true)
      await Promise.all(servers.map((server) => server.stop()))
      await owner.end()
      await database.drop()
    },
  }
}

export type ClientFixture = Awaited<ReturnType<typeof clientFixture>>
