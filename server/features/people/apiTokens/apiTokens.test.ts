import { expect, test } from 'vitest'
import type { CustomerId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addApiToken, addCustomer, addDevice, addUser, ask, openSession } from '#server/testing/callers.ts'

const api = await apiTest()
let people = 0

async function somebody(functions: readonly FunctionId[], customerId?: CustomerId) {
  const username = `somebody${people++}@tokens.example`
  const userId = await addUser(api.pool, { username, functions, ...(customerId === undefined ? {} : { customerId }) })
  return { username, userId, session: await openSession(api.pool, userId) }
}
const create = (token: string, more: object = {}) =>
  ask(api, 'ApiToken/CreateToken', {
    token,
    method: 'POST',
    body: { name: 'Wall screen', scopes: ['devices.read'], expiresInDays: 30, ...more },
  })
const list = async (token: string, query = {}) => (await ask(api, 'ApiToken/GetTokenList', { token, query })).json()
const devices = (token: string) => ask(api, 'Device/GetDeviceList', { token })
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]

test('a token is shown once, kept as a hash, works at once, and dies with the next request after it is revoked', async () => {
  const { session } = await somebody([8])
  const made = await create(session)
  const { id, token } = made.json()
  expect(token).toMatch(/^way_[A-Za-z0-9_-]{43}$/)
  const { rows } = await api.pool.query('select api_token::text as kept from api_token where id = $1', [id])
  expect(rows[0].kept).not.toContain(token.slice(10))
  expect([(await devices(token)).statusCode, (await devices(token)).statusCode]).toEqual([200, 200])
  const [listed] = await list(session)
  expect(listed).toMatchObject({ id, name: 'Wall screen', beginning: token.slice(0, 8), state: 'usable', isOwn: true })
  expect(listed.lastUsed).not.toBeNull()
  const revoke = () => ask(api, 'ApiToken/RevokeToken', { token: session, method: 'POST', body: { id } })
  expect((await revoke()).statusCode).toBe(200)
  expect((await devices(token)).statusCode).toBe(401)
  expect((await revoke()).statusCode).toBe(404)
  expect(await list(session)).toEqual([])
})

test('a token does what it was made for and nothing else, and the audit log names it', async () => {
  const { session, userId } = await somebody([1])
  const customerId = await addCustomer(api.pool, 'Audited')
  const device = await addDevice(api.pool, { name: 'Audited', customerId })
  const status = { query: { id: device.id, statusId: 3 }, method: 'POST' } as const
  const reader = (await create(session, { name: 'Reader' })).json().token
  const refused = await ask(api, 'Device/SetDeviceStatus', { token: reader, ...status })
  expect([refused.statusCode, refused.json().message]).toEqual([403, 'This API token was not made for this call.'])
  expect((await lastAudit()).details).toContain('By the API token “Reader” (way_')
  const writer = (await create(session, { name: 'Writer', scopes: ['devices.change'] })).json().token
  expect((await ask(api, 'Device/SetDeviceStatus', { token: writer, ...status })).statusCode).toBe(200)
  const row = await lastAudit()
  expect(row).toMatchObject({ user_id: userId, outcome: 'done' })
  expect(row.details).toMatch(/^By the API token “Writer” \(way_.{4}…\)\./)
  for (const path of ['ApiToken/CreateToken', 'App/EndOtherSessions', 'App/Logout']) {
    expect((await ask(api, path, { token: writer, method: 'POST', body: {} })).statusCode).toBe(403)
  }
})

test('a token shrinks with its user and with whoever made it, and grows with neither beyond the other', async () => {
  const { session: admin, userId: adminId } = await somebody([1])
  const machine = await somebody([2])
  await api.pool.query('update app_user set password_hash = null where id = $1', [machine.userId])
  const made = await create(admin, {
    machineId: machine.userId,
    scopes: ['devices.read', 'people.read', 'updates.read'],
  })
  const { token } = made.json()
  const reads = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await ask(api, path, { token })).statusCode))
  const asked = () => reads('Device/GetDevicePins', 'AppRole/GetAppRoleList')
  expect(await asked()).toEqual([200, 403])
  const change = (statement: string, userId: number) =>
    api.pool.query(`${statement} (select role_id from app_user where id = $1)`, [userId])
  await change('update app_role_function set function_id = 8 where role_id =', adminId)
  expect(await asked()).toEqual([200, 403])
  await change('update app_role_function set function_id = 5 where role_id =', adminId)
  expect(await asked()).toEqual([403, 403])
  await api.pool.query('update app_user set is_disabled = true where id = $1', [adminId])
  expect(await asked()).toEqual([401, 401])
})

test('nobody makes a token in the name of who has a password, and only admins one of a machine', async () => {
  const { session: admin } = await somebody([1])
  const [person, manager] = [await somebody([2]), await somebody([2])]
  const named = await create(admin, { machineId: person.userId })
  expect([named.statusCode, named.json().code]).toEqual([409, 'no_machine'])
  await api.pool.query('update app_user set password_hash = null where id = $1', [person.userId])
  expect((await create(manager.session, { machineId: person.userId })).statusCode).toBe(403)
  const { token } = (await create(admin, { machineId: person.userId })).json()
  expect((await devices(token)).statusCode).toBe(200)
  await api.pool.query(`update app_user set password_hash = 'x' where id = $1`, [person.userId])
  expect((await devices(token)).statusCode).toBe(401)
})

test('a token of staff that is made for a customer sees that customer alone, and its author stays staff', async () => {
  const [here, there] = [await addCustomer(api.pool, 'Here'), await addCustomer(api.pool, 'There')]
  await addDevice(api.pool, { name: 'Of here', customerId: here })
  const other = await addDevice(api.pool, { name: 'Of there', customerId: there })
  const { session } = await somebody([1])
  const { token } = (await create(session, { customerId: here, scopes: ['devices.read', 'devices.change'] })).json()
  expect((await devices(token)).json().map(({ name }: { name: string }) => name)).toEqual(['Of here'])
  expect((await ask(api, 'Device/GetDeviceById', { token, query: { id: other.id } })).statusCode).toBe(404)
  await ask(api, 'Device/SetDeviceStatus', { token, method: 'POST', query: { id: other.id, statusId: 3 } })
  expect((await lastAudit()).author_customer_id).toBeNull()
  const customers = await somebody([1], here)
  expect((await create(customers.session, { customerId: there })).statusCode).toBe(404)
})

test('admins see and revoke the tokens of their scope, others their own', async () => {
  const customerId = await addCustomer(api.pool, 'Scope')
  const [admin, seer, staff] = [await somebody([1], customerId), await somebody([8], customerId), await somebody([1])]
  const ofSeer = (await create(seer.session, { name: 'Of the seer' })).json().id
  const ofStaff = (await create(staff.session, { name: 'Of staff' })).json().id
  const names = async (token: string) => (await list(token, { all: true })).map(({ name }: { name: string }) => name)
  expect(await names(admin.session)).toEqual(['Of the seer'])
  expect(await names(staff.session)).toEqual(expect.arrayContaining(['Of the seer', 'Of staff']))
  expect((await ask(api, 'ApiToken/GetTokenList', { token: seer.session, query: { all: true } })).statusCode).toBe(403)
  const revoke = (token: string, id: number) =>
    ask(api, 'ApiToken/RevokeToken', { token, method: 'POST', body: { id } })
  expect((await revoke(seer.session, ofStaff)).statusCode).toBe(404)
  expect((await revoke(admin.session, ofStaff)).statusCode).toBe(404)
  expect((await revoke(admin.session, ofSeer)).statusCode).toBe(200)
})

test('one person has twenty tokens at most, also of requests that come together', async () => {
  const { session, userId } = await somebody([8])
  for (let made = 0; made < 18; made++) await addApiToken(api.pool, userId)
  const answers = await Promise.all([1, 2, 3, 4].map(() => create(session)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409, 409])
})

test('the use of a token is written once in ten minutes', async () => {
  const { userId } = await somebody([8])
  const { id, token } = await addApiToken(api.pool, userId)
  const lastUsed = async () =>
    (await api.pool.query('select last_used_at from api_token where id = $1', [id])).rows[0].last_used_at
  await devices(token)
  const first = await lastUsed()
  await devices(token)
  expect(await lastUsed()).toEqual(first)
  await api.pool.query(`update api_token set last_used_at = now() - interval '11 minutes' where id = $1`, [id])
  await devices(token)
  expect((await lastUsed()).getTime()).toBeGreaterThanOrEqual(first.getTime())
})
