import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import type pg from 'pg'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { type Gateway, startGateway } from '#server/gateway/gateway.ts'
import type { GatewayOptions } from '#server/gateway/gatewayOptions.ts'
import { passTime } from '#testing/passTime.ts'
import { freshDatabase } from '../database/freshDatabase.ts'
import { KEPT_DAYS } from '../database/keptDays.ts'
import { testCipher } from '../database/testCipher.ts'

export interface TestDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly key: string
}

/** Starts a gateway on a database of its own, with so many devices. */
export async function gatewayFixture(options: Partial<GatewayOptions> & { devices?: number; keptDays?: number } = {}) {
  const { keptDays = KEPT_DAYS } = options
  const database = await freshDatabase({ keptDays })
  const pool = openPool(database.applicationUrl, { maximumConnections: 6, name: 'test' })
  const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  const devices = await insertDevices(owner, options.devices ?? 1)
  const begin = () =>
    startGateway({
      pool,
      cipher: testCipher,
      bindAddress: '127.0.0.1',
      port: 0,
      deviceMessagesPerSecond: 0,
      retentionDays: keptDays,
      ...options,
    })
  const gateway = await begin()
  const others: Gateway[] = []
  const clients: MqttClient[] = []
  return {
    database,
    pool,
    owner,
    gateway,
    devices,
    device: devices[0] as TestDevice,
    async another() {
      const other = await begin()
      others.push(other)
      return other
    },
    async connect(device: TestDevice, more: IClientOptions & { to?: Gateway } = {}) {
      const client = await connectDevice((more.to ?? gateway).port, device, more)
      clients.push(client)
      return client
    },
    rows: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await owner.query<Row>(sql, values)).rows,
    async close() {
      for (const client of clients) client.end(true)
      await Promise.all([gateway, ...others].map((each) => each.stop()))
      await pool.end()
      await owner.end()
      await database.drop()
    },
  }
}

export type GatewayFixture = Awaited<ReturnType<typeof gatewayFixture>>

/** Connects an ordinary MQTT client, which never reconnects. */
export function connectDevice(port: number, { guid, key }: TestDevice, more: IClientOptions = {}): Promise<MqttClient> {
  return connectAsync(`mqtt://127.0.0.1:${port}`, {
    username: guid,
    password: key,
    reconnectPeriod: 0,
    connectTimeout: 5000,
    ...more,
  })
}

export async function closed(client: MqttClient): Promise<void> {
  if (client.connected) await new Promise<void>((resolve) => client.once('close', () => resolve()))
}

export async function insertDevices(
  owner: pg.Pool,
  count: number,
  { modelId = 15 }: { readonly modelId?: number } = {},
): Promise<TestDevice[]> {
  await owner.query(`insert into customer (name) values ('Test') on conflict do nothing`)
  const devices: TestDevice[] = []
  for (let index = 0; index < count; index++) {
    const guid = randomUUID() as DeviceGuid
    const key = randomBytes(32).toString('base64url')
    const { rows } = await owner.query<{ id: DeviceId }>(
      `insert into device (guid, name, model_id, customer_id, iot_device_id)
       select $1, $2, $4, (select min(id) from customer), $3 returning id`,
      [guid, `Device ${index + 1}`, guid, modelId],
    )
    const id = rows[0]?.id as DeviceId
    await insertKey(owner, id, key)
    devices.push({ id, guid, key })
  }
  return devices
}

export async function insertKey(owner: pg.Pool, deviceId: DeviceId, key: string): Promise<void> {
  const hash = createHash('sha256').update(key).digest()
  await owner.query('insert into device_credential (device_id, key_hash) values ($1, $2)', [deviceId, hash])
}

/** Waits for a fact that somebody else is about to make true. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isRight: (value: Value) => boolean,
  withinMs = 30_000,
): Promise<Value> {
  const until = Date.now() + withinMs
  for (;;) {
    const value = await read()
    if (isRight(value) || Date.now() > until) return value
    await passTime(20, 'it is looked at again')
  }
}
