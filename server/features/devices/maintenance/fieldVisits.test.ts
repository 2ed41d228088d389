import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { IDEMPOTENCY_HEADER } from '#contract/call/headers.ts'
import type { VisitRecord } from '#contract/http/devices/visits.ts'
import type { UserId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, addUser, ask, countAuditRows, openSession } from '#server/testing/callers.ts'

const api = await apiTest()
const harbour = await addCustomer(api.pool, 'Harbour')
const market = await addCustomer(api.pool, 'Market')
const pier = await addDevice(api.pool, { name: 'Pier', customerId: harbour })
const other = await addDevice(api.pool, { name: 'Other', customerId: market })
const martaId = await addUser(api.pool, { username: 'marta@a.example', functions: [2], customerId: harbour })
const ottoId = await addUser(api.pool, { username: 'otto@b.example', functions: [2], customerId: market })
const seerId = await addUser(api.pool, { username: 'seer@a.example', functions: [8], customerId: harbour })
const staffId = await addUser(api.pool, { username: 'staff@s.example', functions: [1] })
const tokens = new Map<UserId, string>()
for (const id of [martaId, ottoId, seerId, staffId]) tokens.set(id, await openSession(api.pool, id))

interface Sent {
  readonly as?: UserId
  readonly body?: object
  readonly query?: object
  readonly key?: string
}
const call = (path: string, { as = martaId, body, query, key }: Sent) =>
  ask(api, `Visit/${path}`, {
    token: tokens.get(as) ?? '',
    ...(body && { method: 'POST', body }),
    ...(query && { query: query as Record<string, string> }),
    ...(key && { headers: { [IDEMPOTENCY_HEADER]: key } }),
  })

const START = new Date(Date.now() + 3_600_000).toISOString()
const END = new Date(Date.now() + 7_200_000).toISOString()
const plan = (changed: object = {}) => ({
  deviceId: pier.id,
  technicianId: martaId,
  startDt: START,
  endDt: END,
  bring: 'A fan, a ladder',
  ...changed,
})
const record = (changed: object = {}) => ({
  deviceId: pier.id,
  startDt: START,
  endDt: END,
  actionComment: 'The fan was exchanged',
  checklist: [{ text: 'Glass is clean', isDone: true }],
  parts: [{ name: 'Fan', oldSerialNumber: 'F1', newSerialNumber: 'F2' }],
  ...changed,
})
const read = async (id: number): Promise<VisitRecord> => (await call('GetVisit', { query: { id } })).json()
const jpeg = (...more: number[]) =>
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, ...more, 0xff, 0xda, 0, 3, 1, 9, 9, 9]).toString('base64')

test('a visit is planned, changed, written down on site and stands in the log', async () => {
  const id = (await call('SetVisit', { body: plan() })).json() as number
  expect((await call('SetVisit', { body: plan({ id, bring: 'Two fans' }) })).json()).toBe(id)
  const mine = (await call('GetVisitList', { query: { mine: 'true' } })).json()
  expect(mine).toMatchObject([{ id, deviceName: 'Pier', bring: 'Two fans', state: 'planned', photos: 0 }])

  const key = randomUUID()
  const body = record({ visitId: id })
  const rows = await countAuditRows(api.pool)
  const first = (await call('RecordVisit', { body, key })).json()
  expect((await call('RecordVisit', { body, key })).json()).toEqual(first)
  expect(first.visitId).toBe(id)
  // The second row says that it was sent again.
  expect(await countAuditRows(api.pool)).toBe(rows + 2)
  const { rows: entries } = await api.pool.query('select id, action_comment, username from maintenance_entry')
  expect(entries).toEqual([{ id: first.entryId, action_comment: body.actionComment, username: 'marta@a.example' }])
  expect(await read(id)).toMatchObject({ state: 'done', checklist: body.checklist, parts: body.parts, photoKeys: [] })
  // What was made is neither changed nor cancelled.
  expect((await call('SetVisit', { body: plan({ id }) })).statusCode).toBe(404)
  expect((await call('CancelVisit', { body: { id } })).statusCode).toBe(404)

  await ask(api, 'DeviceMaintenance/DelDeviceMaintenance', {
    token: tokens.get(martaId) ?? '',
    query: { id: first.entryId },
  })
  expect((await call('GetVisit', { query: { id } })).statusCode).toBe(404)
})

test('a visit that was cancelled meanwhile is still written down, as one of its own', async () => {
  const id = (await call('SetVisit', { body: plan() })).json() as number
  expect((await call('CancelVisit', { body: { id }, as: staffId })).json()).toBe(true)
  const { visitId } = (await call('RecordVisit', { body: record({ visitId: id }), key: randomUUID() })).json()
  expect(visitId).not.toBe(id)
  expect((await read(visitId)).state).toBe('done')
  expect((await read(id)).state).toBe('cancelled')
})

test('two telephones that send fifty visits each, twice, write each visit once', async () => {
  const telephones = [martaId, staffId].map((as) => ({ as, keys: Array.from({ length: 50 }, () => randomUUID()) }))
  // A telephone sends one after the other, and again what was not answered.
  const sendAll = async ({ as, keys }: (typeof telephones)[number]) => {
    const ids: number[] = []
    for (const key of [...keys, ...keys]) {
      const answer = await call('RecordVisit', { body: record(), key, as })
      expect(answer.statusCode).toBe(200)
      ids.push(answer.json().visitId)
    }
    expect(ids.slice(50)).toEqual(ids.slice(0, 50))
    return ids.slice(50)
  }
  const written = (await Promise.all(telephones.flatMap((one) => [sendAll(one), sendAll(one)]))).flat()
  expect(new Set(written).size).toBe(100)
  const keys = telephones.flatMap((one) => one.keys)
  const { rows } = await api.pool.query('select count(*)::int from field_visit where record_key = any($1)', [keys])
  expect(rows).toEqual([{ count: 100 }])
})

test('a photo is taken once, by who wrote the visit, without anything but the picture, ten times', async () => {
  const { visitId } = (await call('RecordVisit', { body: record(), key: randomUUID() })).json()
  const key = randomUUID()
  const photo = (changed: object = {}) => ({ visitId, key, takenDt: START, jpeg: jpeg(), ...changed })
  expect((await call('AddPhoto', { body: photo() })).json()).toBe(true)
  expect((await call('AddPhoto', { body: photo() })).json()).toBe(true)
  expect((await read(visitId)).photoKeys).toEqual([{ key, takenDt: START }])
  const shown = await call('GetPhoto', { query: { id: visitId, key }, as: seerId })
  expect(shown.json()).toEqual({ jpeg: jpeg(), takenDt: START })

  const withPlace = await call('AddPhoto', { body: photo({ key: randomUUID(), jpeg: jpeg(0xff, 0xe1, 0, 4, 1, 1) }) })
  expect(withPlace.json().message).toBe('jpeg is not valid: carries more than the picture')
  const text = await call('AddPhoto', { body: photo({ jpeg: Buffer.from('text').toString('base64') }) })
  expect(text.json().message).toBe('jpeg is not valid: no JPEG')
  expect((await call('AddPhoto', { body: photo(), as: staffId })).statusCode).toBe(404)
  for (let n = 1; n < 10; n += 1) {
    expect((await call('AddPhoto', { body: photo({ key: randomUUID() }) })).statusCode).toBe(200)
  }
  const tooMany = await call('AddPhoto', { body: photo({ key: randomUUID() }) })
  expect([tooMany.statusCode, tooMany.json().message]).toEqual([400, 'A visit has at most 10 photos'])
})

test.each([
  ['another customer’s technician', plan({ technicianId: ottoId }), 400, 'technicianId is not valid'],
  ['somebody who manages nothing', plan({ technicianId: seerId }), 400, 'technicianId is not valid'],
  ['an end before its start', plan({ endDt: '2020-01-01' }), 400, 'endDt is not valid'],
  ['a device of others', plan({ deviceId: other.id }), 404, undefined],
  ['an incident of another device', plan({ incidentId: 4711 }), 404, undefined],
])('a visit with %s is refused', async (_, body, status, message) => {
  const answer = await call('SetVisit', { body })
  expect([answer.statusCode, message && answer.json().message]).toEqual([status, message])
})

test('nobody reads or writes visits of others', async () => {
  const { visitId } = (await call('RecordVisit', { body: record(), key: randomUUID() })).json()
  expect((await call('GetVisit', { query: { id: visitId }, as: ottoId })).statusCode).toBe(404)
  expect((await call('RecordVisit', { body: record(), key: randomUUID(), as: ottoId })).statusCode).toBe(404)
  expect((await call('RecordVisit', { body: record(), as: seerId })).statusCode).toBe(403)
  expect((await call('GetVisitList', { query: {}, as: ottoId })).json()).toEqual([])
})

test('a calendar address lists one’s planned visits until it is renewed, or the account ends', async () => {
  const id = (await call('SetVisit', { body: plan({ bring: 'Line 1\nLine 2; and, more' }) })).json() as number
  const { address } = (await call('NewCalendarAddress', { body: {} })).json()
  const get = (path: string) => api.app.inject({ method: 'GET', url: path })
  const calendar = await get(address)
  expect(calendar.headers['content-type']).toBe('text/calendar; charset=utf-8')
  const text = calendar.body.replaceAll('\r\n ', '')
  expect(text).toContain('SUMMARY:Visit: Pier')
  expect(text).toContain('DESCRIPTION:To bring: Line 1\\nLine 2\\; and\\, more')
  expect(text).toContain(`UID:visit-${id}@wayside`)
  const { address: renewed } = (await call('NewCalendarAddress', { body: {} })).json()
  expect((await get(address)).statusCode).toBe(404)
  expect((await get(renewed)).statusCode).toBe(200)
  await api.pool.query('update app_user set is_disabled = true where id = $1', [martaId])
  expect((await get(renewed)).statusCode).toBe(404)
  await api.pool.query('update app_user set is_disabled = false where id = $1', [martaId])
  expect((await call('EndCalendarAddress', { body: {} })).json()).toBe(true)
  expect((await get(renewed)).statusCode).toBe(404)
})
