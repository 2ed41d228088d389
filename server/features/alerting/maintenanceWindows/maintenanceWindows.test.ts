import { beforeEach, expect, test } from 'vitest'
import type { WindowState } from '#contract/call/listOptions.ts'
import type { MaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { planInTurn } from './windowPlan.store.ts'

const api = await apiTest()
const ours = await addCustomer(api.pool, 'Harbour')
const theirs = await addCustomer(api.pool, 'Airport')
const TOKENS = {
  staff: await api.signedIn({ username: 'staff@a.example', functions: [2] }),
  our: await api.signedIn({ username: 'our@harbour.example', functions: [2], customerId: ours }),
  their: await api.signedIn({ username: 'their@airport.example', functions: [2], customerId: theirs }),
}
type Who = keyof typeof TOKENS

let pier: DeviceId
let gate: DeviceId
let count = 0
const newDevice = async (customerId: CustomerId, tags: readonly string[] = []): Promise<DeviceId> => {
  const { id } = await addDevice(api.pool, { name: `Pier ${++count}`, customerId })
  await api.pool.query('update device set tags = $2, tag_keys = $2, status_id = 2 where id = $1', [id, tags])
  return id
}
beforeEach(async () => {
  await api.pool.query('delete from device_maintenance')
  await api.pool.query('delete from maintenance_window')
  await api.pool.query('update device set deleted_at = now()')
  pier = await newDevice(ours)
  gate = await newDevice(theirs)
})

const post = async (who: Who, name: string, body: object) => {
  const answer = await ask(api, `MaintenanceWindow/${name}`, { token: TOKENS[who], method: 'POST', body })
  return { code: answer.statusCode === 200 ? 'done' : answer.json().code, answer: answer.json() }
}
const ofDevice = (deviceId: DeviceId) => ({ kind: 'device', deviceId })
const REPAIR = { reason: 'Repair', schedule: { kind: 'once', minutes: 120 } }
const create = async (who: Who, target: object, more: object = {}): Promise<number> => {
  const { code, answer } = await post(who, 'CreateMaintenanceWindow', { target, ...REPAIR, ...more })
  expect(code, JSON.stringify(answer)).toBe('done')
  return answer.id
}
const listed = async (who: Who, query: Readonly<Record<string, string | number>> = {}): Promise<MaintenanceWindow[]> =>
  (await ask(api, 'MaintenanceWindow/GetMaintenanceWindowList', { token: TOKENS[who], query })).json().rows
const ids = async (who: Who, state: WindowState) => (await listed(who, { state })).map(({ id }) => id)
const audit = async () =>
  (await api.pool.query('select call, outcome, entity_name, customer_id from audit_log order by id desc limit 1'))
    .rows[0]

async function spansOf(deviceId: DeviceId): Promise<number[][]> {
  const { rows } = await api.pool.query(
    'select from_at, to_at from device_maintenance where device_id = $1 order by from_at',
    [deviceId],
  )
  return rows.map(({ from_at, to_at }) =>
    [from_at, to_at].map((at) => Math.round((at.getTime() - Date.now()) / MINUTE_MS) + 0),
  )
}
const after = (ms: number) => new Date(Date.now() + ms).toISOString()
/** Moves everything that was planned into the past, as if that much time had passed. */
async function later(minutes: number) {
  const earlier = `- interval '${minutes} minutes'`
  await api.pool.query(`update device_maintenance set from_at = from_at ${earlier}, to_at = to_at ${earlier},
    occurrence_at = occurrence_at ${earlier}, due_to = due_to ${earlier}`)
  await api.pool.query(`update maintenance_occurrence set from_at = from_at ${earlier}, to_at = to_at ${earlier}`)
  await api.pool.query(`update maintenance_window set from_at = from_at ${earlier}, to_at = to_at ${earlier},
    ends_at = ends_at ${earlier}, planned_to = planned_to ${earlier}`)
}

test('maintenance for two hours begins at once, and the device says until when and why', async () => {
  const id = await create('our', ofDevice(pier))
  expect(await spansOf(pier)).toEqual([[0, 120]])
  expect(await spansOf(gate)).toEqual([])
  expect(await listed('our', { deviceId: pier })).toMatchObject([
    {
      id,
      state: 'now',
      reason: 'Repair',
      deviceCount: 1,
      hasBegun: true,
      mayChange: true,
      createdBy: 'our@harbour.example',
    },
  ])
  expect(await audit()).toMatchObject({
    call: 'MaintenanceWindow/CreateMaintenanceWindow',
    outcome: 'done',
    customer_id: ours,
  })
})

test('it ends early, is over then, and what has passed stays', async () => {
  const id = await create('our', ofDevice(pier))
  await later(30)
  expect((await post('our', 'EndMaintenanceWindow', { id })).code).toBe('done')
  expect(await spansOf(pier)).toEqual([[-30, 0]])
  expect([await ids('our', 'now'), await ids('our', 'past')]).toEqual([[], [id]])
  for (const name of ['EndMaintenanceWindow', 'ChangeMaintenanceWindow']) {
    expect((await post('our', name, { id, ...(name.startsWith('Change') && REPAIR) })).code).toBe('maintenance_over')
  }
  expect((await post('our', 'DelMaintenanceWindow', { id })).code).toBe('maintenance_begun')
  expect(await spansOf(pier)).toEqual([[-30, 0]])
})

test('what is planned is changed as a whole and deleted, what has begun keeps its start', async () => {
  const planned = { schedule: { kind: 'once', from: after(2 * HOUR_MS), to: after(3 * HOUR_MS) }, reason: 'Later' }
  const id = await create('our', ofDevice(pier), planned)
  expect(await ids('our', 'coming')).toEqual([id])
  expect((await post('our', 'EndMaintenanceWindow', { id })).code).toBe('maintenance_not_begun')
  const sooner = { kind: 'once', from: after(HOUR_MS), minutes: 30 }
  expect((await post('our', 'ChangeMaintenanceWindow', { id, schedule: sooner, reason: 'Sooner' })).code).toBe('done')
  expect(await spansOf(pier)).toEqual([[60, 90]])
  expect((await post('our', 'DelMaintenanceWindow', { id })).code).toBe('done')
  expect([await spansOf(pier), await listed('our')]).toEqual([[], []])
  const begun = await create('our', ofDevice(pier))
  await later(30)
  const [{ current } = { current: null }] = await listed('our')
  const change = (schedule: object) => post('our', 'ChangeMaintenanceWindow', { id: begun, schedule, reason: 'Longer' })
  expect((await change({ kind: 'once', from: current?.from, to: after(3 * HOUR_MS) })).code).toBe('done')
  expect(await spansOf(pier)).toEqual([[-30, 180]])
  const { answer } = await change({ kind: 'once', from: after(-HOUR_MS), to: after(HOUR_MS) })
  expect(answer).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/^from: It has begun/) })
  expect((await change({ kind: 'once', from: current?.from, to: after(-MINUTE_MS) })).answer.message).toMatch(/^to: /)
  expect(await spansOf(pier)).toEqual([[-30, 180]])
})

test('a weekly window is planned a day ahead, and ending it this time leaves the next times', async () => {
  const weekly = { kind: 'weekly', weekdays: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00', timeZone: 'UTC' }
  const today = after(0).slice(0, 10)
  const id = await create('our', { kind: 'customer', customerId: ours }, { schedule: { ...weekly, firstDay: today } })
  const [now, tomorrow] = await spansOf(pier)
  expect([now?.[0], now?.[1]]).toEqual([0, tomorrow?.[0]])
  expect((await listed('our'))[0]).toMatchObject({ state: 'now', schedule: { kind: 'weekly', lastDay: null } })
  await later(5)
  expect((await post('our', 'EndMaintenanceWindow', { id })).code).toBe('done')
  expect((await spansOf(pier))[0]).toEqual([-5, 0])
  expect(await ids('our', 'coming')).toEqual([id])
  // Late in the day the next occurrence is already within the planned time.
  const next = (await spansOf(pier)).slice(1)
  expect([next.length >= (tomorrow ? 1 : 0), next.every(([from]) => Number(from) > 0)]).toEqual([true, true])
  expect((await post('our', 'EndMaintenanceWindow', { id, isForGood: true })).code).toBe('done')
  expect([await spansOf(pier), await ids('our', 'past')]).toEqual([[[-5, 0]], [id]])
})

test('devices that get the tag, leave it or move are in it from then on, and out of it', async () => {
  const lit = await newDevice(ours, ['wired'])
  const other = await newDevice(theirs, ['wired'])
  await create('our', { kind: 'tag', tag: 'Wired' })
  expect([await spansOf(lit), await spansOf(other), await spansOf(pier)]).toEqual([[[0, 120]], [], []])
  await later(60)
  await api.pool.query(`update device set tags = '{wired}', tag_keys = '{wired}' where id = $1`, [pier])
  await api.pool.query(`update device set tags = '{}', tag_keys = '{}' where id = $1`, [lit])
  await api.runJob('maintenance windows')
  expect(await spansOf(pier)).toEqual([[0, 60]])
  expect(await spansOf(lit)).toEqual([[-60, 0]])
  await api.pool.query('update device set customer_id = $2 where id = $1', [pier, theirs])
  await later(10)
  await api.runJob('maintenance windows')
  expect(await spansOf(pier)).toEqual([[-10, 0]])
})

test('times that passed while no server ran count for those who would have been in it', async () => {
  const schedule = { kind: 'once', from: after(2 * DAY_MS), minutes: 60 }
  await create('our', ofDevice(pier), { schedule })
  expect(await spansOf(pier)).toEqual([])
  await later(2 * 24 * 60 + 30)
  await api.runJob('maintenance windows')
  expect(await spansOf(pier)).toEqual([[-30, 30]])
})

test('people of a customer plan for their own devices alone, staff for all, and nothing of another leaks', async () => {
  const code = async (who: Who, target: object) =>
    (await post(who, 'CreateMaintenanceWindow', { target, ...REPAIR })).code
  expect(await code('our', ofDevice(gate))).toBe('not_found')
  expect(await code('our', { kind: 'customer', customerId: theirs })).toBe('not_found')
  expect(await code('our', { kind: 'tag', tag: 'wired', customerId: theirs })).toBe('not_found')
  expect(await code('our', { kind: 'all' })).toBe('not_found')
  const own = await create('their', ofDevice(gate), { reason: 'Secret' })
  const all = await create('staff', { kind: 'all' }, { reason: 'New network' })
  expect((await listed('our')).map(({ id }) => id)).toEqual([all])
  expect((await listed('our'))[0]).toMatchObject({ mayChange: false, createdBy: 'Staff', deviceCount: 1 })
  expect((await listed('staff')).map(({ id }) => id)).toEqual([all, own])
  for (const [id, expected] of [
    [own, 'not_found'],
    [all, 'forbidden'],
  ] as const) {
    for (const name of ['EndMaintenanceWindow', 'DelMaintenanceWindow']) {
      expect((await post('our', name, { id })).code).toBe(expected)
    }
    expect((await post('our', 'ChangeMaintenanceWindow', { id, ...REPAIR })).code).toBe(expected)
  }
  const refused = await ask(api, 'MaintenanceWindow/GetMaintenanceWindowList', {
    token: TOKENS.our,
    query: { deviceId: gate },
  })
  expect(refused.statusCode).toBe(404)
})

test('a preview names the devices and the next times, and changes nothing', async () => {
  await newDevice(ours)
  const { answer } = await post('our', 'PreviewMaintenanceWindow', {
    target: { kind: 'customer', customerId: ours },
    schedule: REPAIR.schedule,
  })
  expect(answer).toMatchObject({ deviceCount: 2, timeZone: 'UTC', toldPeople: 0, devices: [{ id: pier }, {}] })
  expect(answer.times).toHaveLength(1)
  expect(await listed('our')).toEqual([])
  const bad = { target: ofDevice(pier), schedule: { kind: 'once', from: after(-HOUR_MS), minutes: 10 }, reason: 'x' }
  expect((await post('our', 'CreateMaintenanceWindow', bad)).answer.message).toMatch(
    /^from: Maintenance cannot begin in the past/,
  )
  const both = { ...bad, schedule: { kind: 'once', minutes: 10, to: after(HOUR_MS) } }
  expect((await post('our', 'CreateMaintenanceWindow', both)).answer.message).toMatch(/^to: /)
})

test('days under maintenance are due to be counted anew, of silent devices too', async () => {
  await create('our', ofDevice(pier))
  await later(90)
  await api.runJob('maintenance windows')
  const hours = async () =>
    (await api.pool.query('select sum(hours)::int as hours from dark_due where device_id = $1', [pier])).rows[0].hours
  expect(await hours()).toBeGreaterThan(0)
  // This marks the hours as counted.
  await api.pool.query('update dark_due set hours = 0')
  await api.runJob('maintenance windows')
  expect(await hours()).toBe(0)
  await later(60)
  await api.runJob('maintenance windows')
  expect(await hours()).toBeGreaterThan(0)
})

test('chosen devices are one window: it begins and ends for all of them, and each customer sees its own', async () => {
  const quay = await newDevice(ours)
  const other = await newDevice(ours)
  const id = await create('our', { kind: 'devices', deviceIds: [quay, pier, quay] })
  expect([await spansOf(pier), await spansOf(quay), await spansOf(other)]).toEqual([[[0, 120]], [[0, 120]], []])
  expect(await listed('our', { deviceId: quay })).toMatchObject([
    { id, target: { kind: 'devices', deviceIds: [pier, quay], customerId: ours }, deviceCount: 2, mayChange: true },
  ])
  expect(await listed('our', { deviceId: other })).toEqual([])
  expect(await listed('their')).toEqual([])
  expect(await audit()).toMatchObject({ entity_name: '2 chosen devices', customer_id: ours })
  expect((await post('our', 'EndMaintenanceWindow', { id })).code).toBe('done')
  expect([await ids('our', 'now'), await ids('our', 'past')]).toEqual([[], [id]])

  expect((await post('our', 'CreateMaintenanceWindow', { target: mixed(), ...REPAIR })).code).toBe('not_found')
  const both = await create('staff', mixed())
  expect(await listed('staff', { state: 'now' })).toMatchObject([
    { id: both, target: { deviceIds: [pier, gate], customerId: null }, deviceCount: 2 },
  ])
  expect(await listed('their')).toMatchObject([
    { id: both, target: { deviceIds: [gate] }, deviceCount: 1, mayChange: false },
  ])
  expect((await post('their', 'EndMaintenanceWindow', { id: both })).code).toBe('forbidden')
})
const mixed = () => ({ kind: 'devices', deviceIds: [pier, gate] })

test('a chosen device that goes to another customer leaves the window, and the others stay', async () => {
  const quay = await newDevice(ours)
  await create('our', { kind: 'devices', deviceIds: [pier, quay] })
  await api.pool.query('update device set customer_id = $2 where id = $1', [quay, theirs])
  await later(30)
  const owner = await api.pool.connect()
  await planInTurn(owner, new Date())
  owner.release()
  expect(await listed('our')).toMatchObject([{ target: { deviceIds: [pier] }, deviceCount: 1 }])
  expect([await spansOf(pier), await spansOf(quay)]).toEqual([[[-30, 90]], [[-30, 0]]])
})
