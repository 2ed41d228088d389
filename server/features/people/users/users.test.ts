import { beforeEach, expect, test } from 'vitest'
import type { AppUser } from '#contract/http/people/users.ts'
import type { UserId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, addUser, ask, auditActionId, openSession, signIn } from '#server/testing/callers.ts'

let count = 0

const api = await apiTest()
const customerId = await addCustomer(api.pool, 'Ours')
const token = await api.signedIn({ username: 'admin@staff.example', functions: [1] })
const role = await api.pool.query(`insert into app_role (name) values ('Operator') returning id`)
const roleId = role.rows[0].id
await api.pool.query('insert into app_role_function (role_id, function_id) values ($1, 2)', [roleId])
beforeEach(() => {
  count += 1
})

const set = (body: object, by = token) => ask(api, 'AppUser/SetAppUser', { token: by, method: 'POST', body })
const get = async (id: UserId): Promise<AppUser> =>
  (await ask(api, 'AppUser/GetAppUser', { token, query: { id } })).json()
const list = async (query: Record<string, string | number | boolean>, by = token) =>
  (await ask(api, 'AppUser/GetAppUserList', { token: by, query })).json()
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]
const added = async (more: object = {}): Promise<UserId> =>
  (await set({ username: `user${count}@new.example`, roleId, ...more })).json()

test('a new user is not admin, not lab, not disabled, has no password, and is told where they sign in', async () => {
  const sent = { firstName: ' Ada ', isAdmin: true, isLab: true, isDisabled: true, password: 'hunter2', accountId: 9 }
  const id = await added(sent)
  const user = await get(id)
  expect(user).toMatchObject({
    username: `user${count}@new.example`,
    email: `user${count}@new.example`,
    firstName: 'Ada',
    lastName: '',
    roleName: 'Operator',
    customerId: null,
    accountId: 1,
    password: 'pending',
    isAdmin: false,
    isLab: false,
    isDisabled: false,
    updated: null,
    deleted: null,
  })
  expect(user.createdBy).not.toBeNull()
  const audit = await lastAudit()
  expect(audit).toMatchObject({
    call: 'AppUser/SetAppUser',
    outcome: 'done',
    entity_id: id,
    entity_name: user.username,
    action_id: auditActionId('Create'),
  })
  expect(JSON.stringify(audit)).not.toContain('hunter2')
})

test('a record that is sent back changes what differs and nothing that is read-only', async () => {
  const id = await added({ email: 'elsewhere@new.example', customerId })
  const before = await get(id)
  const sent = { ...before, lastName: 'Lovelace', username: 'other@new.example', created: '1999-01-01T00:00:00Z' }
  expect((await set({ ...sent, isAdmin: true, updatedBy: 77, deleted: before.created })).json()).toBe(id)
  const after = await get(id)
  expect(after).toEqual({ ...before, lastName: 'Lovelace', updated: after.updated, updatedBy: after.updatedBy })
  expect(after.updated).not.toBeNull()
  expect(await lastAudit()).toMatchObject({
    customer_id: customerId,
    before: { lastName: '' },
    after: { lastName: 'Lovelace' },
  })
})

test('a username is taken whatever its case, and free again when its user is deleted', async () => {
  const id = await added()
  const again = await set({ username: `USER${count}@New.Example`, roleId })
  expect([again.statusCode, again.json().code]).toEqual([409, 'username_taken'])
  expect((await lastAudit()).outcome).toBe('username_taken')
  expect((await ask(api, 'AppRole/DelAppUser', { token, query: { id } })).json()).toBe(true)
  const next = await set({ username: `USER${count}@New.Example`, roleId })
  expect(next.json()).toBeGreaterThan(id)
})

test.each([
  [{ username: 'a@b.example' }, 'roleId is required'],
  [{ roleId: 1 }, 'username is required'],
  [{ username: '  ', roleId: 1 }, 'username is required'],
  [{ username: 'nobody', roleId: 1 }, 'This field username is not a valid email.'],
  [{ username: 'a@b.example', roleId: 1, email: 'no' }, 'This field email is not a valid email.'],
  [{ username: 'a@b.example', roleId: 1, passwordHash: 'x' }, 'passwordHash is not a field of this call'],
])('%j is refused: %s', async (body, message) => {
  const answer = await set(body)
  expect([answer.statusCode, answer.json().message]).toEqual([400, message])
})

test('roles, customers and users that do not exist are not found', async () => {
  for (const wrong of [{ roleId: 2_000_000_000 }, { customerId: 2_000_000_000 }, { id: 2_000_000_000 }]) {
    const answer = await set({ username: 'nobody@new.example', roleId, ...wrong })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  }
})

test('who is disabled is signed out with the next request, and stays so when they are enabled again', async () => {
  const id = await addUser(api.pool, { username: `out${count}@staff.example`, functions: [2] })
  const theirs = await signIn(api, `out${count}@staff.example`)
  const asThey = () => ask(api, 'App/GetClientAuthData', { token: theirs })
  expect((await asThey()).statusCode).toBe(200)
  await set({ id, isDisabled: true })
  expect((await asThey()).statusCode).toBe(401)
  await expect(signIn(api, `out${count}@staff.example`)).rejects.toThrow()
  await set({ id, isDisabled: false })
  expect((await asThey()).statusCode).toBe(401)
  await signIn(api, `out${count}@staff.example`)
})

test('another role counts from the next request on, and the session stays', async () => {
  const id = await addUser(api.pool, { username: `role${count}@staff.example`, functions: [1] })
  const theirs = await openSession(api.pool, id)
  expect((await ask(api, 'AppRole/GetAppRoleList', { token: theirs })).statusCode).toBe(200)
  await set({ id, roleId })
  expect((await ask(api, 'AppRole/GetAppRoleList', { token: theirs })).statusCode).toBe(403)
  expect((await ask(api, 'App/GetClientAuthData', { token: theirs })).json()).toMatchObject({ isAdmin: false })
})

test('who deletes themselves is signed out', async () => {
  const id = await addUser(api.pool, { username: `self${count}@staff.example`, functions: [1] })
  const theirs = await openSession(api.pool, id)
  expect((await ask(api, 'AppUser/DelAppUser', { token: theirs, query: { id } })).json()).toBe(true)
  expect((await ask(api, 'App/GetClientAuthData', { token: theirs })).statusCode).toBe(401)
  const row = (await api.pool.query('select deleted_by from app_user where id = $1', [id])).rows[0]
  expect(row.deleted_by).toBe(id)
})

test('the list is filtered by a part of either address, whatever the case, and wildcards mean themselves', async () => {
  const first = await added({ username: 'one.filter@f.example', email: 'Post@filter-box.example' })
  const second = await added({ username: 'two_filter@f.example' })
  const idsOf = async (email: string) => (await list({ email })).map(({ id }: AppUser) => id)
  expect(await idsOf('ONE.FILTER')).toEqual([first])
  expect(await idsOf('filter-BOX')).toEqual([first])
  expect(await idsOf('_filter')).toEqual([second])
  expect(await idsOf('no such')).toEqual([])
})

test('pages by key hold every user exactly once, in every order', async () => {
  for (let one = 0; one < 7; one++)
    await added({ username: `page${one}@page.example`, lastName: 'P', firstName: 'Same' })
  for (const sort of ['username', 'name', 'email', 'role', 'customer']) {
    for (const descending of [false, true]) {
      const ids: number[] = []
      let next: string | null = ''
      while (next !== null) {
        const page: { rows: AppUser[]; total: number; next: string | null } = await list({
          email: 'page.example',
          sort,
          descending,
          pageSize: 3,
          ...(next ? { next } : {}),
        })
        expect(page.total).toBe(7)
        ids.push(...page.rows.map(({ id }) => id))
        next = page.next
      }
      expect(new Set(ids).size).toBe(7)
      expect(ids).toHaveLength(7)
    }
  }
  const [first] = await list({ email: 'page.example', sort: 'username', descending: true })
  expect(first.username).toBe('page6@page.example')
  const { next } = await list({ email: 'page.example', pageSize: 3 })
  expect(await list({ pageSize: 3, next, sort: 'email' })).toMatchObject({ message: 'next is not valid' })
})

test('a device manager reads ids and usernames, and finds out nothing else by asking', async () => {
  const manager = await addUser(api.pool, { username: `reader${count}@staff.example`, functions: [2] })
  const theirs = await openSession(api.pool, manager)
  const id = await added({ username: `secret${count}@s.example`, email: `hidden${count}@h.example` })
  expect(await list({ email: `secret${count}` }, theirs)).toEqual([{ id, username: `secret${count}@s.example` }])
  expect(await list({ email: `hidden${count}` }, theirs)).toEqual([])
  const usernames = (await list({ sort: 'email' }, theirs)).map(({ username }: AppUser) => username.toLowerCase())
  expect(usernames).toEqual([...usernames].sort())
})

test('those who may look after a device are the staff and the users of its customer who are not disabled', async () => {
  const device = await addDevice(api.pool, { name: 'Totem', customerId })
  const other = await addCustomer(api.pool, `Other ${count}`)
  const [ours, theirs, disabled] = [
    await added({ username: `ours${count}@o.example`, customerId }),
    await added({ username: `theirs${count}@o.example`, customerId: other }),
    await added({ username: `disabled${count}@o.example`, customerId }),
  ]
  await set({ id: disabled, isDisabled: true })
  const ids = (await list({ deviceId: device.id })).map(({ id }: AppUser) => id)
  expect(ids).toContain(ours)
  expect(ids).not.toContain(theirs)
  expect(ids).not.toContain(disabled)
  expect((await ask(api, 'AppUser/GetAppUserList', { token, query: { deviceId: 2_000_000_000 } })).statusCode).toBe(404)
  const insider = await addUser(api.pool, { username: `in${count}@o.example`, functions: [2], customerId: other })
  const asInsider = { token: await openSession(api.pool, insider), query: { deviceId: device.id } }
  expect((await ask(api, 'AppUser/GetAppUserList', asInsider)).statusCode).toBe(404)
})
