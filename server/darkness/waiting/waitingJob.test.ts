import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { waitingJob } from './waitingJob.ts'

const { database, owner } = await databaseTest()
const pool = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test' })
afterAll(() => pool.end())

const PROCESS = '00000000-0000-4000-8000-000000000001'
const stopped = new AbortController().signal

let deviceIds: DeviceId[]
beforeEach(async () => {
  await owner.query(`delete from alert_condition; delete from alert_state; delete from alert; delete from alert_event;
    delete from device_now; delete from device_connection; delete from device_presence_history; delete from server_outage;
    delete from server_beat; update device set deleted_at = now()`)
  await owner.query(
    `insert into server_process (id, lease_until) values ($1, now() + interval '1 day')
     on conflict (id) do update set lease_until = excluded.lease_until`,
    [PROCESS],
  )
  deviceIds = (await insertDevices(pool, 3)).map(({ id }) => id)
  await owner.query('update device set model_id = 1, status_id = 2 where id = any($1)', [deviceIds])
})

/** Returns a moment this many minutes ago. Everything happened long enough ago that no test waits. */
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)

async function condition(kind: 'silent' | 'dark', minutes: number, place: object = { model_id: 1 }) {
  const columns = Object.entries(place)
  const { rows } = await owner.query<{ id: number }>(
    `insert into alert_condition (kind, minutes, field_id, operator_code, value_dec, effective_at, severity_id,
       ${columns.map(([name]) => name).join(', ')})
     values ($1, $2::int, $3, 'GTE', $2::int, '2020-01-01', 1, ${columns.map((_, index) => `$${index + 4}`).join(', ')}) returning id`,
    [kind, minutes, kind === 'silent' ? 1 : 2, ...columns.map(([, value]) => value)],
  )
  return rows[0]?.id ?? 0
}

const was = (id: DeviceId, at: Date, isOnline: boolean, reason = isOnline ? 'connected' : 'disconnected') =>
  owner.query('insert into device_presence_history (device_id, at, is_online, reason) values ($1, $2, $3, $4)', [
    id,
    at,
    isOnline,
    reason,
  ])

async function connects(id: DeviceId, at = new Date()) {
  await owner.query(
    'insert into device_connection (device_id, connection_id, process_id) values ($1, gen_random_uuid(), $2)',
    [id, PROCESS],
  )
  await was(id, at, true)
}

async function goes(id: DeviceId, at = new Date(), reason?: string) {
  await owner.query('delete from device_connection where device_id = $1', [id])
  await was(id, at, false, reason)
}

const light = (id: DeviceId, value: string, since: Date | null) =>
  owner.query(
    `update device_now set light = $2, light_since = $3, cause = '{"sentence": "No mains."}' where device_id = $1`,
    [id, value, since],
  )

const look = (job = waitingJob(() => undefined)) => job.run(owner, new Date(), stopped)

/** Breaks the connection at that statement. Whatever was begun is undone, without an explicit rollback. */
async function lookAndDie(job: ReturnType<typeof waitingJob>, atStatement: number) {
  const victim = new pg.Client({ connectionString: database.ownerUrl })
  victim.on('error', () => undefined)
  await victim.connect()
  const { query } = victim
  let left = atStatement
  victim.query = ((...asked: unknown[]) => {
    if (left-- > 0) return Reflect.apply(query, victim, asked)
    ;(victim as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    return Promise.reject(new Error('killed'))
  }) as typeof query
  await Promise.resolve(job.run(victim, new Date(), stopped)).catch(() => undefined)
  await victim.end().catch(() => undefined)
}

async function alerts() {
  const { rows } = await owner.query<{
    device_id: DeviceId
    at: Date
    state: number
    text: string
    told: string | null
  }>(
    `select device_id, created_at as at, condition_state_id as state, condition_text as text, metric_value_text as told
     from alert where withdrawn_at is null and status_id = 1 order by device_id`,
  )
  return rows.map(({ device_id, at, ...row }) => ({
    device: deviceIds.indexOf(device_id),
    minutesAgo: Math.round((Date.now() - at.getTime()) / MINUTE_MS),
    ...row,
  }))
}

test('a device that is not there for so long raises an alert at the moment when it had been', async () => {
  await condition('silent', 10)
  const [first, second, third] = deviceIds as [DeviceId, DeviceId, DeviceId]
  await goes(first, ago(30))
  await goes(second, ago(8))
  // The connection stays but is silent: the device was last heard two report periods before that was noticed.
  await goes(third, ago(9), 'silent')
  await look()
  const silent = { state: 1, text: 'Not reporting for 10 minutes', told: null }
  expect(await alerts()).toEqual([
    { device: 0, minutesAgo: 20, ...silent },
    { device: 2, minutesAgo: 1, ...silent },
  ])
  await look()
  expect(await alerts()).toHaveLength(2)
})

test('a condition that has come into force counts how long the state has lasted, and raises nothing from before', async () => {
  const [gone, dark, away] = deviceIds as [DeviceId, DeviceId, DeviceId]
  const conditionIds = [await condition('silent', 10), await condition('dark', 10)]
  await connects(dark, ago(300))
  await goes(gone, ago(120))
  await goes(away, ago(8))
  await light(dark, 'unplanned', ago(120))
  await owner.query('update alert_condition set effective_at = $2 where id = any($1)', [conditionIds, ago(2)])
  await look()
  expect((await alerts()).map(({ device, minutesAgo }) => ({ device, minutesAgo }))).toEqual([
    { device: 0, minutesAgo: 2 },
    { device: 1, minutesAgo: 2 },
  ])
})

test('of a device that was never there, and of one that just began to raise alerts, the wait counts from then', async () => {
  const [never, activated, returned] = deviceIds as [DeviceId, DeviceId, DeviceId]
  const id = await condition('silent', 10)
  await owner.query('update alert_condition set effective_at = $2 where id = $1', [id, ago(5)])
  await goes(activated, ago(120))
  await goes(returned, ago(120))
  await owner.query('update device set alerts_from = $2 where id = $1', [activated, ago(5)])
  await owner.query('update device set alerts_from = $2 where id = $1', [returned, ago(60)])
  await look()
  expect(await alerts()).toMatchObject([{ device: deviceIds.indexOf(returned), minutesAgo: 5 }])
  await owner.query('update alert_condition set effective_at = $2 where id = $1', [id, ago(11)])
  await look()
  expect((await alerts()).map(({ device }) => device)).toEqual([never, returned].map((one) => deviceIds.indexOf(one)))
})

test('while devices can reach no process nothing is judged, whatever other processes there are', async () => {
  await condition('silent', 10)
  const [first] = deviceIds as [DeviceId]
  for (const id of deviceIds.slice(1)) await connects(id, ago(60))
  await goes(first, ago(30))
  await owner.query('update server_process set listens = false')
  await look()
  expect(await alerts()).toEqual([])
  expect((await owner.query('select from server_beat')).rowCount).toBe(0)
  await owner.query('update server_process set listens = true')
  await look()
  expect(await alerts()).toHaveLength(1)
})

test('who comes back is not silent any more, and next time it is the same alert', async () => {
  await condition('silent', 10)
  const [first] = deviceIds as [DeviceId]
  for (const id of deviceIds.slice(1)) await connects(id, ago(60))
  await goes(first, ago(30))
  const job = waitingJob(() => undefined)
  await look(job)
  await connects(first, ago(12))
  await look(job)
  expect(await alerts()).toMatchObject([{ device: 0, minutesAgo: 20, state: 2 }])
  await goes(first, ago(11))
  await look(job)
  const { rows } = await owner.query<{ kind: string; at: Date }>('select kind, at from alert_event order by at, id')
  const told = rows.map(({ kind, at }) => `${kind} ${Math.round((Date.now() - at.getTime()) / MINUTE_MS)}`)
  expect(told).toEqual(['opened 20', 'notActive 12', 'active 1'])
})

test('the absence of the server is nobody’s silence: what was silent by then is counted anew', async () => {
  await condition('silent', 10)
  for (const id of deviceIds) await goes(id, ago(30), 'server_lost')
  await owner.query('insert into server_beat (at) values ($1)', [ago(40)])
  await look()
  expect(await alerts()).toEqual([])
  const { rows } = await owner.query<{ minutes: number }>(
    'select round(extract(epoch from to_at - from_at) / 60)::int as minutes from server_outage',
  )
  expect(rows).toEqual([{ minutes: 40 }])
  // The device has two report periods to reconnect, and then the ten minutes.
  await owner.query(`update server_outage set to_at = $1`, [ago(11)])
  await look()
  expect(await alerts()).toEqual([])
  await owner.query(`update server_outage set to_at = $1`, [ago(13)])
  await look()
  expect((await alerts()).map(({ minutesAgo }) => minutesAgo)).toEqual([1, 1, 1])
})

test('a server that looks late now and then delays what waits by its lateness alone', async () => {
  await condition('silent', 30)
  for (const one of deviceIds.slice(1)) await connects(one, ago(200))
  await goes(deviceIds[0] as DeviceId, ago(159))
  // The last outage is a moment ago, as on a busy machine.
  for (const minutesAgo of [155, 140, 5, 2])
    await owner.query('insert into server_outage (from_at, to_at) values ($1, $2)', [
      ago(minutesAgo),
      ago(minutesAgo - 1),
    ])
  await look()
  expect(await alerts()).toMatchObject([{ device: 0, minutesAgo: 127, state: 1 }])
})

test('while no process takes what devices say nothing is judged, and the time counts as away', async () => {
  await condition('silent', 10)
  await goes(deviceIds[0] as DeviceId, ago(30))
  await owner.query(`insert into server_beat (at) values ($1)`, [ago(20)])
  await owner.query(`update server_process set lease_until = now() - interval '1 minute'`)
  await look()
  expect(await alerts()).toEqual([])
  expect((await owner.query('select from server_outage')).rowCount).toBe(0)
  await owner.query(`update server_process set lease_until = now() + interval '1 minute'`)
  await look()
  expect((await owner.query('select from server_outage')).rowCount).toBe(1)
  expect(await alerts()).toEqual([])
})

test('what a clock that was hours ahead took for an outage keeps nobody quiet once it is right again', async () => {
  await condition('silent', 10)
  for (const one of deviceIds.slice(1)) await connects(one, ago(60))
  await goes(deviceIds[0] as DeviceId, ago(30))
  await owner.query('insert into server_beat (at) values ($1)', [ago(-120)])
  await owner.query('insert into server_outage (from_at, to_at) values ($1, $2)', [ago(1), ago(-120)])
  await look()
  expect(await alerts()).toMatchObject([{ device: 0, minutesAgo: 20 }])
  // It does not count when its end comes either.
  expect((await owner.query('select from server_outage')).rowCount).toBe(0)
})

test('an outage that ended just now counts by a clock that was set a little back', async () => {
  await condition('silent', 10)
  for (const one of deviceIds.slice(1)) await connects(one, ago(60))
  await goes(deviceIds[0] as DeviceId, ago(30))
  await owner.query('insert into server_outage (from_at, to_at) values ($1, $2)', [ago(40), ago(-0.1)])
  await look()
  expect(await alerts()).toEqual([])
})

test('who is dark as planned, deactivated or still connected is not missed', async () => {
  await condition('silent', 10)
  const [planned, deactivated, connected] = deviceIds as [DeviceId, DeviceId, DeviceId]
  await goes(planned, ago(30))
  await light(planned, 'planned', ago(60))
  await goes(deactivated, ago(30))
  await owner.query('update device set status_id = 4 where id = $1', [deactivated])
  await connects(connected, ago(30))
  await look()
  expect(await alerts()).toEqual([])
  await light(planned, 'unknown', ago(1))
  await look()
  expect(await alerts()).toMatchObject([{ device: 0, minutesAgo: 20 }])
})

test('an alert that was closed while it was so is not raised again until it was over once', async () => {
  const id = await condition('silent', 10)
  const [first] = deviceIds as [DeviceId]
  for (const one of deviceIds.slice(1)) await connects(one, ago(60))
  await goes(first, ago(30))
  await look()
  await owner.query('update alert set status_id = 2, closed_at = now() where condition_id = $1', [id])
  await owner.query(
    'update alert_state set version = version + 1, alert = 0, open_alert_id = null, is_suppressed = true',
  )
  await look()
  expect(await alerts()).toEqual([])
  await connects(first, ago(20))
  await look()
  await goes(first, ago(15))
  await look()
  expect(await alerts()).toMatchObject([{ device: 0, minutesAgo: 5, state: 1 }])
})

test('a condition that was changed while a device came and went between two looks goes on to be judged', async () => {
  const id = await condition('silent', 10)
  const [first, second, third] = deviceIds as [DeviceId, DeviceId, DeviceId]
  for (const one of [second, third]) await connects(one, ago(60))
  await goes(first, ago(40))
  await look()
  await owner.query('update alert_condition set revision = revision + 1 where id = $1', [id])
  await connects(first, ago(20))
  await goes(first, ago(15))
  await goes(second, ago(30))
  await look()
  await look()
  expect(await alerts()).toMatchObject([
    { device: 0, state: 1 },
    { device: 1, minutesAgo: 20, state: 1 },
  ])
})

test('dark against plan is told in the words of the verdict, and ends with light alone', async () => {
  await condition('dark', 10)
  const [first, second] = deviceIds as [DeviceId, DeviceId]
  await light(first, 'unplanned', ago(25))
  await light(second, 'unplanned', null)
  await look()
  const dark = { device: 0, text: 'Dark against plan for 10 minutes', told: 'No mains.', minutesAgo: 15 }
  expect(await alerts()).toEqual([{ ...dark, state: 1 }])
  // Unknown light does not mean that it is better.
  await light(first, 'unknown', ago(12))
  await look()
  expect(await alerts()).toEqual([{ ...dark, state: 1 }])
  await light(first, 'lit', ago(5))
  await look()
  expect(await alerts()).toEqual([{ ...dark, state: 2 }])
})

test('darkness in a maintenance window is none: the window ends it, and behind it there is waited anew', async () => {
  await condition('dark', 10)
  const [first] = deviceIds as [DeviceId]
  const lives = async () => {
    const { rows } = await owner.query<{ kind: string; at: Date }>('select kind, at from alert_event order by at, id')
    return rows.map(({ kind, at }) => `${kind} ${Math.round((Date.now() - at.getTime()) / MINUTE_MS)}`)
  }
  // The verdict says this while a window lasts from 60 to 25 minutes ago (verdictJob.test.ts).
  await light(first, 'unplanned', ago(90))
  await look()
  await light(first, 'maintenance', ago(60))
  await look()
  await look()
  expect(await lives()).toEqual(['opened 80', 'notActive 60'])
  await light(first, 'unplanned', ago(25))
  await look()
  await look()
  expect(await lives()).toEqual(['opened 80', 'notActive 60', 'active 15'])
  await light(first, 'lit', ago(5))
  await look()
  expect(await lives()).toEqual(['opened 80', 'notActive 60', 'active 15', 'notActive 5'])
  const { rows } = await owner.query('select kind, active_count from alert')
  expect(rows).toEqual([{ kind: 'dark', active_count: 2 }])
})

test('a condition that waits raises nothing of a window that began before it was dark for so long', async () => {
  await condition('dark', 10)
  const [first] = deviceIds as [DeviceId]
  await light(first, 'unplanned', ago(5))
  await look()
  await light(first, 'maintenance', ago(1))
  await look()
  expect(await alerts()).toEqual([])
})

test('light that readings show later, at a time when it was told to be dark, withdraws the alert', async () => {
  await condition('dark', 10)
  const [first] = deviceIds as [DeviceId]
  await light(first, 'unplanned', ago(25))
  await look()
  await light(first, 'lit', ago(20))
  await look()
  expect(await alerts()).toEqual([])
  const { rows } = await owner.query('select kind from alert_event order by id')
  expect(rows).toEqual([{ kind: 'opened' }, { kind: 'withdrawn' }])
  await light(first, 'unplanned', ago(15))
  await look()
  expect(await alerts()).toMatchObject([{ minutesAgo: 5, state: 1 }])
})

test('whenever it is looked, whoever leads, and however often one is killed, silence ends as presence says', async () => {
  const step = fc.record({
    device: fc.nat({ max: 2 }),
    what: fc.constantFrom('goes', 'comes', 'look', 'look', 'killed', 'another leads'),
    minutes: fc.integer({ min: 1, max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const expected = deviceIds.map(() => [] as string[])
      await owner.query(`delete from alert_condition; delete from alert_state; delete from alert; delete from alert_event;
        delete from device_connection; delete from device_presence_history`)
      await condition('silent', 10)
      const total = steps.reduce((sum, { minutes }) => sum + minutes, 0)
      let clock = total + 5
      const offlineFrom = new Map<number, number>()
      for (const [index, id] of deviceIds.entries()) {
        await connects(id, ago(clock + 1))
        offlineFrom.delete(index)
      }
      let job = waitingJob(() => undefined)
      for (const { device, what, minutes } of steps) {
        clock -= minutes
        const id = deviceIds[device] as DeviceId
        const since = offlineFrom.get(device)
        if (what === 'goes' && since === undefined) {
          await goes(id, ago(clock))
          offlineFrom.set(device, clock)
        } else if (what === 'comes' && since !== undefined) {
          await connects(id, ago(clock))
          offlineFrom.delete(device)
        } else if (what === 'another leads') job = waitingJob(() => undefined)
        else if (what === 'killed') {
          await lookAndDie(job, minutes)
          job = waitingJob(() => undefined)
        } else if (what === 'look') await look(job)
      }
      // One check ends what ended meanwhile, and the next begins what is true again.
      await look(job)
      await look(job)
      for (const [index] of deviceIds.entries()) {
        const since = offlineFrom.get(index)
        if (since !== undefined && since >= 10) expected[index]?.push('active')
      }
      const { rows } = await owner.query<{ device_id: DeviceId }>(
        'select device_id from alert where condition_state_id = 1 and withdrawn_at is null order by device_id',
      )
      const active = deviceIds.map((id) => rows.filter((row) => row.device_id === id).map(() => 'active'))
      expect(active).toEqual(expected)
    }),
    { numRuns: 25, endOnFailure: true },
  )
}, 60_000)

test('of two that believe to lead, one opens each alert', async () => {
  await condition('silent', 10)
  for (const id of deviceIds) await goes(id, ago(30))
  const other = new pg.Client({ connectionString: database.ownerUrl })
  await other.connect()
  const both = await Promise.allSettled([look(), waitingJob(() => undefined).run(other, new Date(), stopped)])
  await other.end()
  expect(both.some(({ status }) => status === 'fulfilled')).toBe(true)
  const { rows } = await owner.query('select device_id from alert order by device_id')
  expect(rows.map(({ device_id }) => device_id)).toEqual(deviceIds)
})
