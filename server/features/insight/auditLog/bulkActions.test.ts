import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { BULK_HEADER } from '#contract/call/call.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask, openSession } from '#server/testing/callers.ts'
import { insertDevices } from '#server/testing/devices/gatewayFixture.ts'

const api = await apiTest()
const ours = await addCustomer(api.pool, 'Ours')
const theirs = await addCustomer(api.pool, 'Theirs')
const staff = await api.signedIn({ username: 'boss@staff.example', functions: [1, 2] })
const managerId = await addUser(api.pool, { username: 'manager@ours.example', functions: [2], customerId: ours })
const manager = await openSession(api.pool, managerId)

let bulkName: string
const NOBODYS = 2_000_000_000
let devices: { readonly ours: readonly DeviceId[]; readonly theirs: readonly DeviceId[] }
let sinceId: number
beforeEach(async () => {
  bulkName = randomUUID().toUpperCase()
  devices = { ours: await added(ours, 3), theirs: await added(theirs, 2) }
  sinceId = (await api.pool.query('select coalesce(max(id), 0)::int as id from audit_log')).rows[0].id
})

async function added(customerId: CustomerId, count: number): Promise<readonly DeviceId[]> {
  const ids = (await insertDevices(api.pool, count)).map(({ id }) => id)
  await api.pool.query('update device set customer_id = $1 where id = any($2)', [customerId, ids])
  return ids
}

interface Change {
  readonly token?: string
  readonly bulk?: string
}
const change = (path: string, body: object, { token = staff, bulk = bulkName }: Change = {}) =>
  ask(api, path, { method: 'POST', body, token, headers: { [BULK_HEADER]: bulk } })
const setStatus = (id: number, options?: Change) => change('Device/SetDeviceStatus', { id, statusId: 3 }, options)
async function setAll(options?: Change) {
  for (const id of [...devices.ours, ...devices.theirs]) await setStatus(id, options)
}

async function page(body: object, token = staff) {
  const answer = await ask(api, 'Audit/GetAuditLogList', { method: 'POST', body: { rowNum: 1, ...body }, token })
  const { rows, next }: { rows: readonly AuditEntry[]; next: string | null } = answer.json()
  return { rows: rows.filter(({ id }) => id > sinceId), next }
}
const list = async (body: object, token = staff) => (await page(body, token)).rows

test('rows of one bulk action share an id and fold into their newest; unfolded they are one each', async () => {
  await setAll()
  await setStatus(NOBODYS)
  const single = await list({})
  expect(single).toHaveLength(6)
  expect(new Set(single.map(({ bulkId }) => bulkId)).size).toBe(1)
  expect(single.every(({ fold }) => fold === null)).toBe(true)
  const [newest, ...rest] = await list({ folds: true })
  expect(rest).toEqual([])
  expect(newest).toEqual({
    ...single[0],
    fold: {
      ...{ entries: 6, things: 6, done: 5, queued: 0, unanswered: 0, replaced: 0, refused: 1 },
      ...{ first: single.at(-1)?.inserted, last: single[0]?.inserted },
    },
  })
  expect(await list({ bulkId: newest?.bulkId?.toUpperCase() })).toEqual(single)
})

test('of a bulk action only what is in the scope of its reader is counted, and what the filter finds', async () => {
  await setAll()
  const [seen] = await list({ folds: true }, manager)
  expect(seen).toMatchObject({ username: 'Staff', fold: { entries: 3, things: 3, done: 3 } })
  expect(await list({ bulkId: seen?.bulkId }, manager)).toHaveLength(3)
  const [found, ...others] = await list({ folds: true, entityId: devices.ours[0] })
  expect([found?.entityId, found?.fold, others]).toEqual([devices.ours[0], null, []])
})

test('what another user, or another call, names by the same id is none of it', async () => {
  await setAll()
  for (const id of devices.ours) await setStatus(id, { token: manager })
  await change('Device/ChangeDeviceTags', { id: devices.ours[0], add: ['a'], remove: [] })
  await change('Device/ChangeDeviceTags', { id: devices.ours[1], add: ['a'], remove: [] })
  const folds = (await list({ folds: true })).map(({ call, username, fold }) => [call, username, fold?.entries])
  expect(folds).toEqual([
    ['Device/ChangeDeviceTags', 'boss@staff.example', 2],
    ['Device/SetDeviceStatus', 'manager@ours.example', 3],
    ['Device/SetDeviceStatus', 'boss@staff.example', 5],
  ])
  const byOthers = await list({ folds: true, byOthers: true }, manager)
  expect(byOthers.map(({ call, fold }) => [call, fold?.entries])).toEqual([
    ['Device/ChangeDeviceTags', 2],
    ['Device/SetDeviceStatus', 3],
  ])
})

test('pages of folded entries follow each other by key and by row, whatever stands between', async () => {
  for (const id of devices.ours) {
    await setStatus(id)
    await ask(api, 'Device/SetDeviceStatus', { method: 'POST', body: { id, statusId: 2 }, token: staff })
    await change('Device/ChangeDeviceTags', { id, add: ['b'], remove: [] })
  }
  const whole = await list({ folds: true })
  expect(whole.map(({ fold }) => fold?.entries)).toEqual([3, undefined, 3, undefined, undefined])
  const byKey: AuditEntry[] = []
  for (let next: string | null = null; byKey.length < whole.length; ) {
    const asked = await page({ folds: true, pageSize: 2, ...(next ? { next, rowNum: undefined } : {}) })
    byKey.push(...asked.rows)
    next = asked.next
  }
  expect(byKey).toEqual(whole)
  expect(await list({ folds: true, pageSize: 2, rowNum: 3 })).toEqual(whole.slice(2, 4))
})

test('a name that is no UUID is refused, and gives no right; reading takes no notice of it', async () => {
  const [id] = devices.ours as [DeviceId]
  const refused = await setStatus(id, { bulk: `${bulkName}, ${bulkName}` })
  expect([refused.statusCode, refused.json().message]).toEqual([400, 'X-Wayside-Bulk is not valid'])
  expect(await list({})).toMatchObject([{ outcome: 'invalid_request', bulkId: null, before: null }])
  expect((await setStatus(devices.theirs[0] as DeviceId, { token: manager })).statusCode).toBe(404)
  expect((await setStatus(id, { token: 'x'.repeat(43) })).statusCode).toBe(401)
  expect((await list({}))[0]).toMatchObject({ outcome: 'sign_in_required', bulkId: null })
  const read = await change('Audit/GetAuditLogList', {}, { bulk: 'nonsense' })
  expect(read.statusCode).toBe(200)
})
