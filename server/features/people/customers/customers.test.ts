import { expect, test, vi } from 'vitest'
import type { CustomerRecord } from '#contract/http/people/customers.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { holidaysOfDevice } from '#server/fleet/deviceHolidays.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addDevice, addUser, ask, auditActionId, openSession, signIn } from '#server/testing/callers.ts'

const api = await apiTest()
const token = await api.signedIn({ username: 'admin@staff.example', functions: [1] })
const idOf = async (iso: string) =>
  (await api.pool.query('select id from country where iso_code = $1', [iso])).rows[0].id
const czechia = await idOf('CZ')
const britain = await idOf('GB')

const set = (body: object) => ask(api, 'Customer/SetCustomer', { token, method: 'POST', body })
const added = async (name: string, countryId: number | null = null): Promise<CustomerId> =>
  (await set({ name, countryId })).json()
const record = async (id: number): Promise<CustomerRecord | undefined> =>
  ((await ask(api, 'Customer/GetCustomerRecordList', { token })).json() as CustomerRecord[]).find(
    (one) => one.id === id,
  )
async function holdPeople() {
  const connection = await api.pool.connect()
  await connection.query('begin')
  await connection.query(`select ${lockUntilCommit('people')}`)
  return {
    isAwaited: async () => {
      const { rows } = await connection.query(
        `select from pg_locks
         where locktype = 'advisory' and not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`,
      )
      return rows.length > 0
    },
    letGo: async () => {
      await connection.query('commit')
      connection.release()
    },
  }
}
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]
const device = async (id: DeviceId) =>
  (
    await api.pool.query(
      `select time_zone as zone, time_zone_is_assumed as assumed,
         (select version from device_settings s where s.device_id = d.id) as version from device d where id = $1`,
      [id],
    )
  ).rows[0]

test('a customer is added and edited, and its record says how much it has', async () => {
  const id = await added(' City Media ', czechia)
  expect(await lastAudit()).toMatchObject({ entity_id: id, action_id: auditActionId('Create') })
  expect(await record(id)).toMatchObject({
    name: 'City Media',
    countryId: czechia,
    countryName: 'Czechia',
    isActive: true,
    devices: 0,
    activeUsers: 0,
  })
  expect(await lastAudit()).toMatchObject({ customer_id: id, after: { name: 'City Media', countryId: czechia } })
  await addDevice(api.pool, { name: 'One', customerId: id })
  await addUser(api.pool, { username: 'one@city.example', functions: [2], customerId: id })
  const before = await record(id)
  expect(before).toMatchObject({ devices: 1, activeUsers: 1 })
  expect((await set({ ...before, name: 'City Lights' })).json()).toBe(id)
  expect(await record(id)).toMatchObject({ name: 'City Lights', countryId: czechia, isActive: true })
  expect(await lastAudit()).toMatchObject({ before: { name: 'City Media' }, after: { name: 'City Lights' } })
})

test.each([
  [{ countryId: null }, 400, 'name is required'],
  [{ name: ' ' }, 400, 'name is required'],
  [{ name: 'Nowhere', countryId: 2_000_000_000 }, 400, 'countryId is not valid'],
  [{ id: 2_000_000_000, name: 'Missing' }, 404, 'It does not exist, or you may not see it.'],
])('%j is refused with %i: %s', async (body, status, message) => {
  const answer = await set(body)
  expect([answer.statusCode, answer.json().message]).toEqual([status, message])
})

test('a name is taken whatever its case', async () => {
  const id = await added('Unique')
  const again = await set({ name: 'UNIQUE' })
  expect([again.statusCode, again.json().code]).toEqual([409, 'customer_name_taken'])
  expect((await set({ id, name: 'UNIQUE' })).json()).toBe(id)
})

test('another country is another assumed zone and other holidays for the devices, which are told', async () => {
  const id = await added('Moves', czechia)
  const other = await added('Stays', czechia)
  const names = ['assumed', 'chosen', 'placed', 'foreign'] as const
  const ids = {} as Record<(typeof names)[number], DeviceId>
  for (const name of names) {
    ids[name] = (await addDevice(api.pool, { name, customerId: name === 'foreign' ? other : id })).id
    await api.pool.query(`update device set time_zone = 'Europe/Prague' where id = $1`, [ids[name]])
    await api.pool.query('insert into device_settings (device_id) values ($1)', [ids[name]])
  }
  await api.pool.query(`update device set time_zone = 'Asia/Tokyo', time_zone_is_assumed = false where id = $1`, [
    ids.chosen,
  ])
  await api.pool.query('update device set latitude = 50.08, longitude = 14.43 where id = $1', [ids.placed])
  const before = await holidaysOfDevice(api.pool, ids.assumed)

  await set({ id, countryId: britain })
  expect(await device(ids.assumed)).toEqual({ zone: 'Europe/London', assumed: true, version: 2 })
  expect(await device(ids.chosen)).toEqual({ zone: 'Asia/Tokyo', assumed: false, version: 2 })
  expect(await device(ids.placed)).toEqual({ zone: 'Europe/Prague', assumed: true, version: 2 })
  expect(await device(ids.foreign)).toEqual({ zone: 'Europe/Prague', assumed: true, version: 1 })
  expect(await holidaysOfDevice(api.pool, ids.assumed)).not.toEqual(before)

  await set({ id, countryId: britain, name: 'Moved' })
  expect((await device(ids.assumed)).version).toBe(2)
  await set({ id, countryId: null })
  expect(await device(ids.assumed)).toEqual({ zone: 'UTC', assumed: true, version: 3 })
})

test('a deactivated customer: its users are out at once, nothing new comes in, and its devices stay', async () => {
  const id = await added('Closing')
  await addUser(api.pool, { username: 'user@closing.example', functions: [1], customerId: id })
  const { id: deviceId } = await addDevice(api.pool, { name: 'Stays', customerId: id })
  const theirs = await signIn(api, 'user@closing.example')
  const asThey = async () => (await ask(api, 'App/GetClientAuthData', { token: theirs })).statusCode
  expect(await asThey()).toBe(200)
  await set({ id, isActive: false })
  expect(await asThey()).toBe(401)
  await expect(signIn(api, 'user@closing.example')).rejects.toThrow()
  const customers = (await ask(api, 'Customer/GetCustomerList', { token })).json()
  expect(customers).toContainEqual({ id, name: 'Closing', isActive: false })
  const create = { token, method: 'POST', body: { customerId: id, modelId: 1, name: 'New' } } as const
  expect((await ask(api, 'Device/CreateDevice', create)).json().code).toBe('customer_deactivated')
  expect((await ask(api, 'Device/GetDeviceById', { token, query: { id: deviceId } })).statusCode).toBe(200)
  const edited = await ask(api, 'Device/SetDeviceDetails', {
    token,
    method: 'POST',
    body: { id: deviceId, name: 'Still' },
  })
  expect(edited.statusCode).toBe(200)
  const { id: elsewhere } = await addDevice(api.pool, { name: 'Elsewhere', customerId: await added('Open') })
  const moved = await ask(api, 'Device/SetDeviceDetails', {
    token,
    method: 'POST',
    body: { id: elsewhere, customerId: id },
  })
  expect(moved.json().code).toBe('customer_deactivated')

  await set({ id, isActive: true })
  // Ended sessions stay ended, so the users sign in again.
  expect(await asThey()).toBe(401)
  await signIn(api, 'user@closing.example')
  expect((await ask(api, 'Device/CreateDevice', create)).statusCode).toBe(200)
  expect((await ask(api, 'Customer/GetCustomerList', { token })).json()).toContainEqual({ id, name: 'Closing' })
})

test.each([
  [`update app_user set role_id = (select id from app_role where name = 'Empty') where id = $1`, 403, 'forbidden'],
  ['update app_session set expires_at = clock_timestamp() where user_id = $1', 401, 'sign_in_required'],
])('who loses the right while they wait for their turn changes nothing: %s', async (sql, status, code) => {
  const id = await addUser(api.pool, { username: `${code}@staff.example`, functions: [1] })
  await api.pool.query(`insert into app_role (name) values ('Empty') on conflict do nothing`)
  const theirs = await openSession(api.pool, id)
  const held = await holdPeople()
  const body = { name: `Never ${code}` }
  const answer = ask(api, 'Customer/SetCustomer', { token: theirs, method: 'POST', body }).then((done) => done)
  await vi.waitFor(async () => expect(await held.isAwaited()).toBe(true), { timeout: 30_000 })
  await api.pool.query(sql, [id])
  await held.letGo()
  expect([(await answer).statusCode, (await answer).json().code]).toEqual([status, code])
  expect((await api.pool.query('select from customer where name = $1', [body.name])).rowCount).toBe(0)
})
