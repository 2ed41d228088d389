import { connect, type MqttClient } from 'mqtt'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { lockUntilDisconnected } from '#server/db/advisoryLocks.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { insertDevices, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { kill, startProcess } from '#server/testing/wholeServer/powerKills.ts'
import { askServer } from '#server/testing/wholeServer/wholeServer.ts'
import { passTime } from '#testing/passTime.ts'

const LOAD = 5104
const KILLS = 4
/** The delays reach different steps of a batch or a call. */
const KILLED_AFTER_MS = [0, 4, 12, 30]

let database: FreshDatabase
let owner: pg.Pool
let device: TestDevice
let token: string
let leader: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'test owner' })
  device = (await insertDevices(owner, 1))[0] as TestDevice
  await owner.query('update device set status_id = 2')
  await owner.query(
    `insert into alert_condition (device_id, field_id, operator_code, value_dec) values ($1, $2, 'GT', 50)`,
    [device.id, LOAD],
  )
  // A leader would take the notices away to send mails, so this test holds the leader's lock.
  leader = new pg.Client({ connectionString: database.ownerUrl })
  await leader.connect()
  await leader.query(`select ${lockUntilDisconnected('lead')}`)
  token = await openSession(owner, await addUser(owner, { username: 'manager@a.example', functions: [2] }))
}, 120_000)
afterAll(async () => {
  await leader.end()
  await owner.end()
  await database.drop()
})

const startMs = Date.now() - 3_600_000

/** Resolves with the acknowledgement, however often the report has to be sent. */
function report(client: MqttClient, minute: number, load: number) {
  const payload = JSON.stringify({ at: new Date(startMs + minute * 60_000).toISOString(), values: { load } })
  return client.publishAsync(eventsTopic(device.guid, 'ups'), payload, { qos: 1 })
}

const counts = async () => {
  const { rows } = await owner.query(
    `select (select count(*)::int from alert where status_id = 1) as open,
       (select count(*)::int from alert where status_id = 2) as closed,
       (select count(*)::int from alert_notice) as notices,
       (select count(*)::int from alert_event where kind = 'opened') as openings,
       (select count(*)::int from alert_event where kind = 'closed') as closings,
       (select count(*)::int from alert_state where open_alert_id is not null) as held,
       (select count(*)::int from audit_log where call = 'Alert/CloseAlerts' and outcome = 'done') as audited`,
  )
  return rows[0]
}

test('a server that is killed while alerts open and close neither loses nor doubles any', async () => {
  let server = await startProcess({ databaseUrls: database }, 0)
  const port = Number(new URL(server.addresses.mqttUrl).port)
  const client = connect(`mqtt://127.0.0.1:${port}`, {
    username: device.guid,
    password: device.key,
    reconnectPeriod: 50,
    connectTimeout: 10_000,
  })
  client.on('error', () => undefined)
  const killedMeanwhile = async (work: Promise<unknown>, afterMs: number) => {
    await passTime(afterMs, 'the blow falls later each time')
    await kill(server.child)
    server = await startProcess({ databaseUrls: database }, port)
    return work
  }
  const close = (id: number) =>
    askServer(server.addresses.httpUrl, 'Alert/CloseAlerts', {
      token,
      method: 'POST',
      body: { idList: [id], resolutionId: 1 },
    })

  for (let round = 0; round < KILLS; round++) {
    const afterMs = KILLED_AFTER_MS[round % KILLED_AFTER_MS.length] ?? 0
    await report(client, round * 3, 10)
    await killedMeanwhile(report(client, round * 3 + 1, 60), afterMs)
    const opened = { notices: round + 1, openings: round + 1 }
    expect(await counts()).toEqual({ ...opened, open: 1, held: 1, closed: round, closings: round, audited: round })
    const { rows } = await owner.query<{ id: number }>('select id from alert where status_id = 1')
    const id = rows[0]?.id ?? 0
    await killedMeanwhile(
      close(id).catch(() => undefined),
      afterMs,
    )
    // A call takes effect whole or not at all, so this one does what the killed one did not.
    const again = await close(id)
    expect([200, 409]).toContain(again.status)
    const closed = { closed: round + 1, closings: round + 1, audited: round + 1 }
    expect(await counts()).toEqual({ ...opened, ...closed, open: 0, held: 0 })
  }
  client.end(true)
  await kill(server.child)
}, 240_000)
