import { expect, test } from 'vitest'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, addUser, ask, openSession } from '#server/testing/callers.ts'

const api = await apiTest()
let people = 0

async function somebody(functions: readonly FunctionId[] = [1, 5]) {
  const username = `rights${people++}@customer.example`
  const customerId = await addCustomer(api.pool, username)
  const device = await addDevice(api.pool, { name: `of ${username}`, customerId })
  const userId = await addUser(api.pool, { username, functions, customerId })
  return { userId, customerId, deviceId: device.id, token: await openSession(api.pool, userId) }
}

const oneDevice = (token: string, id: number) => ask(api, 'Device/GetDeviceById', { token, query: { id } })
const namesSeenBy = async (token: string) =>
  (await ask(api, 'Device/GetDeviceList', { token })).json().map(({ name }: { name: string }) => name)

test('whoever is moved to another customer reads nothing of the former one with the next request', async () => {
  const [mover, other] = [await somebody(), await somebody()]
  expect((await oneDevice(mover.token, mover.deviceId)).statusCode).toBe(200)
  expect((await oneDevice(mover.token, other.deviceId)).statusCode).toBe(404)
  await api.pool.query('update app_user set customer_id = $1 where id = $2', [other.customerId, mover.userId])
  expect((await oneDevice(mover.token, mover.deviceId)).statusCode).toBe(404)
  expect((await oneDevice(mover.token, other.deviceId)).statusCode).toBe(200)
  expect(await namesSeenBy(mover.token)).toEqual(await namesSeenBy(other.token))
})

test('a right that is lost or won counts from the next reading request on', async () => {
  const { token, userId, deviceId } = await somebody([5])
  const charts = (sql: string) =>
    api.pool
      .query(`${sql} (select role_id from app_user where id = $1)`, [userId])
      .then(() => ask(api, 'Analytics/GetDeviceMeasurementList', { token, query: { deviceId } }))
  expect((await charts('select')).statusCode).toBe(200)
  expect((await charts('delete from app_role_function where function_id = 5 and role_id =')).statusCode).toBe(403)
  expect((await charts('insert into app_role_function select id, 5 from app_role where id =')).statusCode).toBe(200)
})

test('an ended session reads nothing and is not told what it asked wrongly', async () => {
  const { token, userId, deviceId } = await somebody()
  expect((await oneDevice(token, deviceId)).statusCode).toBe(200)
  expect((await ask(api, 'Device/GetDeviceById', { token })).statusCode).toBe(400)
  await api.pool.query('update app_session set expires_at = now() where user_id = $1', [userId])
  const asked = await Promise.all([oneDevice(token, deviceId), ask(api, 'Device/GetDeviceById', { token })])
  expect(asked.map(({ statusCode }) => statusCode)).toEqual([401, 401])
})

test('for an ended session nothing is read', async () => {
  const { token, userId, deviceId } = await somebody()
  expect((await oneDevice(token, deviceId)).statusCode).toBe(200)
  await api.pool.query('update app_session set expires_at = now() where user_id = $1', [userId])
  const owner = await api.pool.connect()
  try {
    await owner.query('begin; lock table device in access exclusive mode')
    expect((await oneDevice(token, deviceId)).statusCode).toBe(401)
    const waiting = `select 1 from pg_locks where relation = 'device'::regclass and not granted`
    expect((await owner.query(waiting)).rows).toEqual([])
  } finally {
    await owner.query('rollback')
    owner.release()
  }
})

test('a chart that is refused gives back the place that it took', async () => {
  const { token, userId, customerId, deviceId } = await somebody()
  const { customerId: otherId } = await somebody()
  const year = { dateFrom: new Date(Date.now() - 365 * DAY_MS).toISOString(), dateTo: new Date().toISOString() }
  const query = { devices: deviceId, measurements: '4101,4102,4103', ...year }
  const chart = () => ask(api, 'Analytics/GetAnalyticsDataTable', { token, query })
  for (let round = 0; round < 30; round++) {
    const [own, status] = round % 2 === 0 ? [customerId, 200] : [otherId, 404]
    await api.pool.query('update app_user set customer_id = $1 where id = $2', [own, userId])
    expect((await chart()).statusCode).toBe(status)
  }
})
