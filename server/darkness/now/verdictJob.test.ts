import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { eventually, insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { VerdictPublisher } from './VerdictPublisher.ts'
import { verdictJob } from './verdictJob.ts'

const { database, owner } = await databaseTest()
const pool = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test' })
afterAll(() => pool.end())

const NOW = new Date()
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const PROCESS = '00000000-0000-4000-8000-000000000001'

let deviceIds: DeviceId[]
beforeEach(async () => {
  await owner.query('delete from device_now; update device set deleted_at = now()')
  await owner.query(
    `insert into server_process (id, lease_until) values ($1, now() + interval '1 day') on conflict do nothing`,
    [PROCESS],
  )
  deviceIds = (await insertDevices(pool, 3)).map(({ id }) => id)
  for (const id of deviceIds) await addDisplay(id)
})

/** Makes a device that is connected and lit, as far as it reports. */
async function addDisplay(id: DeviceId) {
  await owner.query(
    `insert into device_component (device_id, component_model_id, category_id, number, label) values ($1, 17, 6, 1, 'Display')`,
    [id],
  )
  await owner.query(
    `insert into device_connection (device_id, connection_id, process_id) values ($1, gen_random_uuid(), $2)`,
    [id, PROCESS],
  )
  await report(id, 3, { uptime: 4000, status_id: 1 }, NOW)
  await report(id, 4, { internal_temp: 31, intake_temp: 24, backlight_level: 80, out_of_order_status: 'HDMI-1' }, NOW)
}

async function report(id: DeviceId, eventTypeId: number, fields: Readonly<Record<string, number | string>>, at: Date) {
  const stored = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value, at.getTime()]]))
  await owner.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
     values ($1, $2, 1, $3, $3, $3, $4)
     on conflict (device_id, event_type_id, number) do update set fields = excluded.fields`,
    [id, eventTypeId, at, JSON.stringify(stored)],
  )
}

const rows = async () =>
  (
    await owner.query<{ device_id: DeviceId; light: string; xmin: string; light_since: Date }>(
      `select device_id, light, light_since, xmin::text from device_now where active_alerts is not null
       order by device_id`,
    )
  ).rows
const lights = async () => (await rows()).map(({ light }) => light)

const lead = () => new AbortController().signal

test('who leads anew judges every device, and nothing is written twice', async () => {
  const told: DeviceId[] = []
  const job = verdictJob((ids) => told.push(...ids))
  const first = lead()
  await job.run(owner, NOW, first)
  expect(await lights()).toEqual(['lit', 'lit', 'lit'])
  expect(told).toEqual(deviceIds)
  const before = await rows()
  const [id] = deviceIds as [DeviceId]
  await report(id, 4, { internal_temp: 31, backlight_level: 0, out_of_order_status: 'HDMI-1' }, after(5))
  // No notice was sent, and the clock makes nothing due yet.
  await job.run(owner, after(15), first)
  expect(await rows()).toEqual(before)
  await job.run(owner, after(15), lead())
  expect(await lights()).toEqual(['unplanned', 'lit', 'lit'])
  expect((await rows()).slice(1)).toEqual(before.slice(1))
})

test('what follows on nothing known may have been so before, and what follows on something known began then', async () => {
  const atLeast = async () =>
    (await owner.query<{ is: boolean }>('select light_is_at_least as is from device_now order by device_id')).rows[0]
      ?.is
  const job = verdictJob(() => undefined)
  const [id] = deviceIds as [DeviceId]
  const lit = { internal_temp: 31, backlight_level: 70, out_of_order_status: 'HDMI-1' }
  await job.run(owner, NOW, lead())
  expect(await atLeast()).toBe(true)
  await report(id, 4, { ...lit, backlight_level: 0 }, after(5))
  await job.run(owner, after(15), lead())
  expect([(await lights())[0], await atLeast()]).toEqual(['unplanned', false])
  await job.run(owner, after(200), lead())
  expect([(await lights())[0], await atLeast()]).toEqual(['unknown', false])
  const computer = { uptime: 4000, status_id: 1 }
  await report(id, 3, computer, after(210))
  await report(id, 4, lit, after(210))
  await job.run(owner, after(215), lead())
  expect([(await lights())[0], await atLeast()]).toEqual(['lit', true])
  await report(id, 4, lit, after(270))
  await job.run(owner, after(275), lead())
  expect([(await lights())[0], await atLeast()]).toEqual(['lit', true])
})

test('who went with the server is unknown while it may reconnect, and not reporting only from then on', async () => {
  const silent = async () =>
    (await owner.query<{ is: boolean }>('select is_silent as is from device_now order by device_id')).rows.map(
      ({ is }) => is,
    )
  const [back, gone, lost] = deviceIds as [DeviceId, DeviceId, DeviceId]
  const goes = (id: DeviceId, reason: string, at: Date) =>
    owner.query(`insert into device_presence_history (device_id, at, is_online, reason) values ($1, $2, false, $3)`, [
      id,
      at,
      reason,
    ])
  await owner.query('delete from device_connection where device_id = $1', [lost])
  await goes(lost, 'keep_alive_missed', after(1))
  await verdictJob(() => undefined).run(owner, after(2), lead())
  expect(await silent()).toEqual([false, false, true])
  await owner.query('delete from device_connection')
  for (const id of [back, gone]) await goes(id, 'server_stopped', after(5))
  const job = verdictJob(() => undefined)
  const over = lead()
  await job.run(owner, after(600), over)
  expect(await silent()).toEqual([false, false, true])
  await owner.query(
    `insert into device_connection (device_id, connection_id, process_id) values ($1, gen_random_uuid(), $2)`,
    [back, PROCESS],
  )
  await job.run(owner, after(600 + 121), over)
  expect(await silent()).toEqual([false, true, true])
})

test('the clock alone makes what is heard no more unknown', async () => {
  const job = verdictJob(() => undefined)
  const over = lead()
  await job.run(owner, NOW, over)
  await job.run(owner, after(119), over)
  expect(await lights()).toEqual(['lit', 'lit', 'lit'])
  await job.run(owner, after(121), over)
  expect(await lights()).toEqual(['unknown', 'unknown', 'unknown'])
  expect((await rows())[0]?.light_since).toEqual(after(120))
})

test('a device that nobody told of is found with the next look, and one that was missed a quarter of an hour later', async () => {
  const job = verdictJob(() => undefined)
  const over = lead()
  await job.run(owner, after(121), over)
  expect(await lights()).toEqual(['unknown', 'unknown', 'unknown'])
  const judgedIds = async () => (await rows()).map(({ device_id }) => device_id)
  const [late, next] = (await insertDevices(pool, 2)).map((device) => device.id) as [DeviceId, DeviceId]
  // The device is committed after one that has a higher id.
  await owner.query('update device set deleted_at = now() where id = $1', [late])
  await job.run(owner, after(136), over)
  expect(await judgedIds()).toEqual([...deviceIds, next])
  await owner.query('update device set deleted_at = null where id = $1', [late])
  await job.run(owner, after(600), over)
  expect(await judgedIds()).toEqual([...deviceIds, next])
  await job.run(owner, after(122 + 900), over)
  expect(await judgedIds()).toEqual([...deviceIds, late, next])
})

test('a clock that was set back puts nothing off', async () => {
  const job = verdictJob(() => undefined)
  const over = lead()
  await job.run(owner, after(7200), over)
  expect(await lights()).toEqual(['unknown', 'unknown', 'unknown'])
  await job.run(owner, after(10), over)
  expect(await lights()).toEqual(['lit', 'lit', 'lit'])
})

test('devices that the teller names are judged, those of a failed run once more, and deleted ones no more', async () => {
  const job = verdictJob(() => undefined)
  const over = lead()
  await job.run(owner, NOW, over)
  const listener = new pg.Client({ connectionString: database.ownerUrl })
  await listener.connect()
  listener.on('notification', ({ payload = '' }) => job.onTold?.(payload.slice('verdicts:'.length)))
  let heard = 0
  listener.on('notification', () => heard++)
  await listener.query('listen wayside_jobs')
  const teller = new VerdictPublisher(pool)
  const [dark, deleted] = deviceIds as [DeviceId, DeviceId, DeviceId]
  await report(dark, 4, { internal_temp: 31, backlight_level: 0, out_of_order_status: 'HDMI-1' }, after(5))
  await owner.query('update device set deleted_at = now() where id = $1', [deleted])
  await owner.query('delete from device_now where device_id = $1', [deleted])
  teller.tell([dark, deleted])
  expect(
    await eventually(
      async () => heard,
      (count) => count === 1,
    ),
  ).toBe(1)
  await owner.query('alter table device_now rename to device_then')
  await expect(job.run(owner, after(6), over)).rejects.toThrow('device_now')
  await owner.query('alter table device_then rename to device_now')
  await job.run(owner, after(7), over)
  expect(await lights()).toEqual(['unplanned', 'lit'])
  await teller.stop()
  await listener.end()
})

test('what could not be told without the database is told when it is back', async () => {
  const gone = openPool('postgres://nobody@127.0.0.1:1/none', { maximumConnections: 1, name: 'test' })
  let isBack = false
  let failures = 0
  const asked: unknown[] = []
  const teller = new VerdictPublisher({
    query: ((text: string, values: unknown[]) => {
      if (!isBack) return gone.query(text).finally(() => failures++)
      asked.push(values[1])
      return pool.query(text, values)
    }) as typeof pool.query,
  })
  teller.tell(deviceIds)
  teller.tell([deviceIds[0] as DeviceId])
  await eventually(
    async () => failures,
    (count) => count > 0,
  )
  isBack = true
  expect(
    await eventually(
      async () => asked.length,
      (count) => count > 0,
    ),
  ).toBe(1)
  expect(asked).toEqual([`verdicts:${deviceIds.join(',')}`])
  await teller.stop()
  await gone.end()
})

test('a device that is deleted, moved or no longer Paired counts for nobody from that commit on, until it is judged', async () => {
  const job = verdictJob(() => undefined)
  const over = lead()
  await owner.query('update device set status_id = 2 where id = any($1)', [deviceIds])
  await job.run(owner, NOW, over)
  const countsFor = async () =>
    (
      await owner.query<{ customer_id: number | null }>('select customer_id from device_now order by device_id')
    ).rows.map((row) => row.customer_id)
  const [customerId] = await countsFor()
  expect(await countsFor()).toEqual([customerId, customerId, customerId])
  const { rows } = await owner.query<{ id: number }>(
    `insert into customer (name) values (gen_random_uuid()) returning id`,
  )
  const [moved, paused, deleted] = deviceIds
  await owner.query('update device set customer_id = $2 where id = $1', [moved, rows[0]?.id])
  await owner.query('update device set status_id = 3 where id = $1', [paused])
  await owner.query('update device set deleted_at = now() where id = $1', [deleted])
  expect(await countsFor()).toEqual([null, null, null])
  job.onTold?.(deviceIds.join(','))
  await job.run(owner, after(1), over)
  expect(await countsFor()).toEqual([rows[0]?.id, null])
})

test('a device that somebody is changing keeps nobody waiting, and is judged when they are done', async () => {
  const job = verdictJob(() => undefined)
  const over = lead()
  const [locked] = deviceIds as [DeviceId]
  const other = await pool.connect()
  await other.query('begin')
  await other.query('select from device where id = $1 for update', [locked])
  await job.run(owner, NOW, over)
  expect((await rows()).map(({ device_id }) => device_id)).toEqual(deviceIds.slice(1))
  await other.query('rollback')
  other.release()
  await job.run(owner, after(1), over)
  expect((await rows()).map(({ device_id }) => device_id)).toEqual(deviceIds)
})

test('what was found by what the customer before told a device is gone with the move', async () => {
  const job = verdictJob(() => undefined)
  await job.run(owner, NOW, lead())
  const [moved, kept] = deviceIds
  await owner.query(`update device_now set cause = '{"sentence": "told"}', unknown_command = '{"name": "ups.reboot"}'`)
  const { rows: customers } = await owner.query<{ id: number }>(
    `insert into customer (name) values (gen_random_uuid()) returning id`,
  )
  await owner.query('update device set customer_id = $2 where id = $1', [moved, customers[0]?.id])
  await owner.query('update device set status_id = 3 where id = $1', [kept])
  const { rows: left } = await owner.query(
    'select cause is null and unknown_command is null as is_gone from device_now where device_id = any($1) order by device_id',
    [[moved, kept]],
  )
  expect(left).toEqual([{ is_gone: true }, { is_gone: false }])
})

test('when maintenance began is known, also of a device that nobody has judged before', async () => {
  const [id] = deviceIds as [DeviceId]
  await owner.query(
    `insert into device_maintenance (device_id, window_id, from_at, to_at, occurrence_at, due_to)
     values ($1, 1, $2, $3, $2, $2)`,
    [id, after(-40), after(80)],
  )
  await owner.query('delete from device_now where device_id = $1', [id])
  await verdictJob(() => undefined).run(owner, NOW, lead())
  const sql = 'select light, light_since, light_is_at_least as least from device_now where device_id = $1'
  expect((await owner.query(sql, [id])).rows).toEqual([{ light: 'maintenance', light_since: after(-40), least: false }])
})

test('under maintenance a dark device is maintenance, and not wrong as others are; the clock alone begins and ends it', async () => {
  const job = verdictJob(() => undefined)
  const first = lead()
  const [id] = deviceIds as [DeviceId]
  await report(id, 4, { internal_temp: 31, backlight_level: 0, out_of_order_status: 'HDMI-1' }, NOW)
  await owner.query('update device set status_id = 2 where id = $1', [id])
  await owner.query(
    `insert into device_maintenance (device_id, window_id, from_at, to_at, occurrence_at, due_to)
     values ($1, 1, $2, $3, $2, $2)`,
    [id, after(40), after(80)],
  )
  const found = async () => {
    const sql = 'select light, wrong_kinds, wrong_since, maintenance_until from device_now where device_id = $1'
    return (await owner.query(sql, [id])).rows[0]
  }
  await job.run(owner, NOW, first)
  expect(await found()).toMatchObject({ light: 'unplanned', wrong_kinds: 1, maintenance_until: null })
  await job.run(owner, after(45), first)
  expect(await found()).toEqual({
    light: 'maintenance',
    wrong_kinds: 32,
    wrong_since: after(40),
    maintenance_until: after(80),
  })
  await job.run(owner, after(85), first)
  expect(await found()).toMatchObject({ light: 'unplanned', wrong_kinds: 1, maintenance_until: null })
})
