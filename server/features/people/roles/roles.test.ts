import { expect, test } from 'vitest'
import type { AppRole } from '#contract/http/people/roles.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask, auditActionId, openSession } from '#server/testing/callers.ts'

const api = await apiTest()
const adminId = await addUser(api.pool, { username: 'admin@staff.example', functions: [1] })
const token = await openSession(api.pool, adminId as never)

const set = (body: object) => ask(api, 'AppRole/SetAppRole', { token, method: 'POST', body })
const get = async (id: number): Promise<AppRole> =>
  (await ask(api, 'AppRole/GetAppRole', { token, query: { id, getFullData: true } })).json()
const remove = (id: number, by = token) => ask(api, 'AppRole/DelAppRole', { token: by, query: { id } })
const ids = (role: AppRole) => role.roleFunctions.map(({ functionId }) => functionId)
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]

test('a role is added, read with its functions, edited and removed; each leaves its audit row', async () => {
  const id = (
    await set({ id: -1, name: ' Night shift ', roleFunctions: [{ functionId: 5 }, { functionId: 2 }] })
  ).json()
  expect(id).toBeGreaterThan(0)
  const role = await get(id)
  expect(role).toMatchObject({
    id,
    name: 'Night shift',
    accountId: 1,
    deleted: null,
    functions: 'DeviceManager, Analytics',
    activeUsers: 0,
    allowsAssistants: false,
  })
  expect(role.roleFunctions[0]).toMatchObject({
    accountId: 1,
    createdBy: adminId,
    functionId: 2,
    functionName: 'DeviceManager',
    roleId: id,
    roleName: 'Night shift',
  })
  expect(await lastAudit()).toMatchObject({
    entity_id: id,
    action_id: auditActionId('Create'),
    after: { name: 'Night shift', functions: [2, 5] },
  })

  const sentBack = {
    ...role,
    name: 'Day shift',
    activeUsers: 99,
    roleFunctions: [role.roleFunctions[0], { functionId: 7 }],
  }
  expect((await set(sentBack)).json()).toBe(id)
  const after = await get(id)
  expect(ids(after)).toEqual([2, 7])
  expect(after.roleFunctions[0]?.created).toBe(role.roleFunctions[0]?.created)
  expect(await lastAudit()).toMatchObject({
    before: { name: 'Night shift', functions: [2, 5] },
    after: { name: 'Day shift', functions: [2, 7] },
  })

  expect((await set({ id, name: 'Late shift' })).json()).toBe(id)
  expect(ids(await get(id))).toEqual([2, 7])
  expect((await remove(id)).json()).toBe(true)
  expect((await ask(api, 'AppRole/GetAppRole', { token, query: { id } })).statusCode).toBe(404)
  expect((await remove(id)).statusCode).toBe(404)
})

test('without getFullData a role says its functions in words alone', async () => {
  const id = (await set({ name: 'Words', roleFunctions: [{ functionId: 3 }] })).json()
  const role = (await ask(api, 'AppRole/GetAppRole', { token, query: { id } })).json()
  expect([role.functions, role.roleFunctions]).toEqual(['CreateDevice', []])
})

test('a name is taken whatever its case, free again after removal, and kept by its own role', async () => {
  const id = (await set({ name: 'Taken' })).json()
  const again = await set({ name: 'TAKEN' })
  expect([again.statusCode, again.json().code]).toEqual([409, 'role_name_taken'])
  expect((await set({ id, name: 'TAKEN' })).json()).toBe(id)
  await remove(id)
  expect((await set({ name: 'taken' })).statusCode).toBe(200)
})

test('functions that do not exist are refused', async () => {
  for (const functionId of [0, 4, 6, 10]) {
    const answer = await set({ name: 'Odd', roleFunctions: [{ functionId }] })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request'])
  }
  expect((await ask(api, 'AppRole/GetAppFunctionList', { token })).json()).toEqual([
    { id: 1, name: 'Admin' },
    { id: 2, name: 'DeviceManager' },
    { id: 3, name: 'CreateDevice' },
    { id: 5, name: 'Analytics' },
    { id: 7, name: 'ReceiveEmailNotifications' },
    { id: 8, name: 'SeeDevices' },
    { id: 9, name: 'SendStatements' },
  ])
})

test('a role in use is not removed, whoever has it, and the answer says why', async () => {
  const userId = await addUser(api.pool, { username: 'has@staff.example', functions: [2] })
  const { role_id: id } = (await api.pool.query('select role_id from app_user where id = $1', [userId])).rows[0]
  expect((await get(id)).activeUsers).toBe(1)
  await api.pool.query('update app_user set is_disabled = true where id = $1', [userId])
  expect((await get(id)).activeUsers).toBe(0)
  const answer = await remove(id)
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'role_in_use'])
  expect(answer.json().message).toBe('The role is in use and cannot be removed. Give its users another role first.')
  expect(await lastAudit()).toMatchObject({ outcome: 'role_in_use', entity_id: id })
  await api.pool.query('update app_user set deleted_at = now() where id = $1', [userId])
  expect((await remove(id)).json()).toBe(true)
})

test("one's own admin role is not removed", async () => {
  const { role_id: id } = (await api.pool.query('select role_id from app_user where id = $1', [adminId])).rows[0]
  const answer = await remove(id)
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'own_admin_role'])
})

test('a function taken from a role is gone for everybody who has it with their next request', async () => {
  const userId = await addUser(api.pool, { username: 'manager@staff.example', functions: [2, 5] })
  const theirs = await openSession(api.pool, userId)
  const { role_id: id } = (await api.pool.query('select role_id from app_user where id = $1', [userId])).rows[0]
  const asThey = async () => (await ask(api, 'Device/GetDeviceList', { token: theirs })).statusCode
  expect(await asThey()).toBe(200)
  await set({ id, name: 'Nothing much', roleFunctions: [{ functionId: 7 }] })
  expect(await asThey()).toBe(403)
})

test('active users are counted within the scope of who asks', async () => {
  const customerId = await addCustomer(api.pool, 'Ours')
  const insider = await addUser(api.pool, { username: 'in@ours.example', functions: [1], customerId })
  const id = (await set({ name: 'Shared' })).json()
  const outsider = await addUser(api.pool, { username: 'out@staff.example', functions: [] })
  await api.pool.query('update app_user set role_id = $1 where id = $2', [id, outsider])
  const theirs = await openSession(api.pool, insider)
  const listed = (await ask(api, 'AppRole/GetAppRoleList', { token: theirs })).json() as AppRole[]
  expect(listed.find((role) => role.id === id)?.activeUsers).toBe(0)
  expect((await get(id)).activeUsers).toBe(1)
})

test('assistants are let in by a role only where a staff admin said so, and the audit log tells it', async () => {
  const id = (await set({ name: 'Assisted' })).json()
  expect((await get(id)).allowsAssistants).toBe(false)
  await set({ id, name: 'Assisted', allowsAssistants: true })
  await set({ id, name: 'Assisted' })
  expect((await get(id)).allowsAssistants).toBe(true)
  const { rows } = await api.pool.query(
    `select before, after from audit_log where entity_name = 'Assisted' and before is not null order by id limit 1`,
  )
  expect(rows[0]).toMatchObject({ before: { allowsAssistants: false }, after: { allowsAssistants: true } })
})
