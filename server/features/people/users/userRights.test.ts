import { expect, test } from 'vitest'
import { setCustomer } from '#contract/http/people/customers.ts'
import { setRole } from '#contract/http/people/roles.ts'
import { setUser } from '#contract/http/people/users.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask } from '#server/testing/callers.ts'

/** Roles by their functions. */
const roles = new Map<string, number>()
const tokens = new Map<string, string>()
let count = 0

const CALLERS: readonly {
  readonly name: string
  readonly functions: readonly FunctionId[]
  readonly isOurs: boolean
}[] = [
  { name: 'staff admin', functions: [1], isOurs: false },
  { name: "customer's admin", functions: [1, 2], isOurs: true },
  ...([2, 3, 5, 7] as const).flatMap((one) => [
    { name: `staff with ${one}`, functions: [one], isOurs: false },
    { name: `customer user with ${one}`, functions: [one], isOurs: true },
  ]),
  { name: 'staff with all but admin', functions: [2, 3, 5, 7], isOurs: false },
]

const api = await apiTest()
const ours = await addCustomer(api.pool, 'Ours')
const theirs = await addCustomer(api.pool, 'Theirs')
await addUser(api.pool, { username: 'keeper@staff.example', functions: [1] })
for (const functions of [[], [2], [5], [1, 2], [1, 2, 5]]) roles.set(functions.join(), await addRole(functions))
for (const { name, functions, isOurs } of CALLERS) {
  const user = {
    username: `${name.replaceAll(/\W/g, '-')}@x.example`,
    functions,
    ...(isOurs && { customerId: ours }),
  }
  tokens.set(name, await api.signedIn(user))
}

async function addRole(functions: readonly number[]): Promise<number> {
  const { rows } = await api.pool.query('insert into app_role (name) values ($1) returning id', [`Role ${++count}`])
  await api.pool.query('insert into app_role_function select $1, unnest($2::smallint[])', [rows[0].id, functions])
  return rows[0].id
}

async function addTarget(customerId: CustomerId | null, functions = ''): Promise<UserId> {
  const { rows } = await api.pool.query(
    `insert into app_user (username, email, role_id, customer_id) values ($1, 'at@t.example', $2, $3) returning id`,
    [`target${++count}@t.example`, roles.get(functions), customerId],
  )
  return rows[0].id
}

const row = async (table: string, id: number): Promise<Record<string, unknown>> =>
  (await api.pool.query(`select * from ${table} where id = $1`, [id])).rows[0]
/** `role_since` changes only with the role, which is a field below. */
const BOOKKEEPING = ['updated_at', 'updated_by', 'role_since']
function changedColumns(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const differs = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  return Object.keys(before).filter((name) => !BOOKKEEPING.includes(name) && differs(name))
}
const send = (call: { readonly path: string }, caller: string, body: object) =>
  ask(api, call.path, { token: tokens.get(caller), method: 'POST', body })

/** Lists who may change which column by which field; a field that is not listed changes nothing for anybody. */
const USER_FIELDS: Readonly<Record<string, { value: () => unknown; column: string; by: readonly string[] }>> = {
  firstName: { value: () => 'New', column: 'first_name', by: ['staff admin', "customer's admin"] },
  lastName: { value: () => 'New', column: 'last_name', by: ['staff admin', "customer's admin"] },
  email: { value: () => 'new@t.example', column: 'email', by: ['staff admin', "customer's admin"] },
  roleId: { value: () => roles.get('2'), column: 'role_id', by: ['staff admin', "customer's admin"] },
  customerId: { value: () => theirs, column: 'customer_id', by: ['staff admin'] },
  isLab: { value: () => true, column: 'is_lab', by: ['staff admin'] },
  isDisabled: { value: () => true, column: 'is_disabled', by: ['staff admin', "customer's admin"] },
}
const READ_ONLY_VALUE = { username: 'changed@t.example' } as Readonly<Record<string, unknown>>

test('each field of a user is changed by exactly those who may', async () => {
  const fields = Object.keys(setUser.body.shape).filter((name) => name !== 'id')
  const wrong: unknown[] = []
  for (const { name: caller } of CALLERS) {
    for (const field of fields) {
      const id = await addTarget(ours)
      const before = await row('app_user', id)
      const rule = USER_FIELDS[field]
      const value = rule ? rule.value() : (READ_ONLY_VALUE[field] ?? 1)
      const { statusCode } = await send(setUser, caller, { id, [field]: value })
      const changed = changedColumns(before, await row('app_user', id))
      const wanted = rule?.by.includes(caller) ? [rule.column] : []
      if (JSON.stringify(changed) !== JSON.stringify(wanted)) wrong.push({ caller, field, changed, wanted, statusCode })
    }
  }
  expect(wrong).toEqual([])
})

test('each field of a role and of a customer is changed by staff admins alone', async () => {
  const wrong: unknown[] = []
  const may = { role: ['name', 'roleFunctions', 'factorGraceDays'], customer: ['name', 'countryId', 'isActive'] }
  const values: Record<string, () => unknown> = {
    name: () => `Name ${++count}`,
    roleFunctions: () => [{ functionId: 5 }],
    countryId: () => 2,
    isActive: () => false,
  }
  const stateOfRole = async (id: number): Promise<Record<string, unknown>> => ({
    ...(await row('app_role', id)),
    functions: (await api.pool.query('select function_id from app_role_function where role_id = $1', [id])).rows,
  })
  for (const { name: caller } of CALLERS) {
    for (const field of Object.keys(setRole.body.shape).filter((one) => one !== 'id')) {
      const id = await addRole([2])
      const before = await stateOfRole(id)
      const body = { id, name: before.name, [field]: values[field]?.() ?? 1 }
      await send(setRole, caller, body)
      const changed = changedColumns(before, await stateOfRole(id)).length > 0
      const wanted = caller === 'staff admin' && may.role.includes(field)
      if (changed !== wanted) wrong.push({ caller, field, changed })
    }
    for (const field of Object.keys(setCustomer.body.shape).filter((one) => one !== 'id')) {
      const id = await addCustomer(api.pool, `Customer ${++count}`)
      const before = await row('customer', id)
      await send(setCustomer, caller, { id, [field]: values[field]?.() ?? 1 })
      const changed = changedColumns(before, await row('customer', id)).length > 0
      const wanted = caller === 'staff admin' && may.customer.includes(field)
      if (changed !== wanted) wrong.push({ caller, field, changed })
    }
  }
  expect(wrong).toEqual([])
})

test("a customer's admin hands out only roles whose functions they hold, and sees no others", async () => {
  const token = tokens.get("customer's admin")
  const grant = async (functions: string, id?: UserId) => {
    const user = id ?? (await addTarget(ours))
    return (await send(setUser, "customer's admin", { id: user, roleId: roles.get(functions) })).statusCode
  }
  expect([await grant(''), await grant('2'), await grant('1,2')]).toEqual([200, 200, 200])
  expect([await grant('5'), await grant('1,2,5')]).toEqual([404, 404])
  const own = (await ask(api, 'App/GetClientAuthData', { token })).json()
  expect(await grant('1,2,5', own.id)).toBe(404)
  const created = await send(setUser, "customer's admin", { username: 'up@t.example', roleId: roles.get('5') })
  expect([created.statusCode, created.json().code]).toEqual([404, 'not_found'])
  const listed = (await ask(api, 'AppRole/GetAppRoleList', { token })).json() as { id: number }[]
  const ids = listed.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([roles.get(''), roles.get('2'), roles.get('1,2')]))
  expect(ids).not.toContain(roles.get('5'))
  expect((await ask(api, 'AppRole/GetAppRole', { token, query: { id: roles.get('5') ?? 0 } })).statusCode).toBe(404)
})

test("a user who may do more than a customer's admin is not changed by them", async () => {
  const id = await addTarget(ours, '5')
  const before = await row('app_user', id)
  const answer = await send(setUser, "customer's admin", { id, email: 'mine@t.example' })
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden'])
  const deleted = await ask(api, 'AppUser/DelAppUser', { token: tokens.get("customer's admin"), query: { id } })
  expect(deleted.statusCode).toBe(403)
  expect(await row('app_user', id)).toEqual(before)
})

test("a new user of a customer's admin belongs to that customer, and another customer is not found", async () => {
  const foreign = { username: `new${++count}@t.example`, roleId: roles.get('2'), customerId: theirs }
  const refused = await send(setUser, "customer's admin", foreign)
  expect([refused.statusCode, refused.json().code]).toEqual([404, 'not_found'])
  for (const customerId of [ours, null, undefined]) {
    const body = { username: `new${++count}@t.example`, roleId: roles.get('2'), customerId }
    const id = (await send(setUser, "customer's admin", body)).json()
    expect((await row('app_user', id)).customer_id).toBe(ours)
  }
})

test('those outside the own customer are as if they did not exist, and staff are not named', async () => {
  const token = tokens.get("customer's admin")
  const missing = await ask(api, 'AppUser/GetAppUser', { token, query: { id: 2_000_000_000 } })
  for (const customerId of [theirs, null]) {
    const id = await addTarget(customerId)
    const foreign = await ask(api, 'AppUser/GetAppUser', { token, query: { id } })
    expect([foreign.statusCode, foreign.body]).toEqual([404, missing.body])
  }
  const id = await addTarget(ours)
  const keeper = (await api.pool.query(`select id from app_user where username = 'keeper@staff.example'`)).rows[0].id
  await api.pool.query('update app_user set created_by = $2 where id = $1', [id, keeper])
  expect((await ask(api, 'AppUser/GetAppUser', { token, query: { id } })).json()).toMatchObject({ createdBy: null })
  const asStaff = { token: tokens.get('staff admin'), query: { id } }
  expect((await ask(api, 'AppUser/GetAppUser', asStaff)).json()).toMatchObject({ createdBy: keeper })
})

test('nobody is added to a deactivated customer', async () => {
  const closed = await addCustomer(api.pool, 'Closed')
  await api.pool.query('update customer set is_active = false where id = $1', [closed])
  const answer = await send(setUser, 'staff admin', {
    username: 'late@t.example',
    roleId: roles.get('2'),
    customerId: closed,
  })
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'customer_deactivated'])
})

test.each(['SendRegistrationEmail', 'SendResetPasswordEmail'])(
  'who may do less sends no link to who may do more: %s',
  async (call) => {
    const send = (id: UserId, by: string) =>
      ask(api, `AppUser/${call}`, { token: tokens.get(by) ?? '', method: 'POST', body: { id } })
    const mightier = await addTarget(ours, '1,2,5')
    const refused = await send(mightier, "customer's admin")
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden'])
    const { rows } = await api.pool.query('select from password_mail where user_id = $1', [mightier])
    expect(rows).toHaveLength(0)
    expect((await send(await addTarget(ours, '1,2'), "customer's admin")).statusCode).toBe(200)
    expect((await send(mightier, 'staff admin')).statusCode).toBe(200)
  },
)

test("a customer's admins learn of few addresses of the installation whether they are taken", async () => {
  const third = await addCustomer(api.pool, 'Third')
  const admins: string[] = []
  for (const n of [1, 2]) {
    const user = { username: `asker${n}@third.example`, functions: [1, 2] as const, customerId: third }
    admins.push(await api.signedIn(user))
  }
  const roleId = roles.get('2')
  const add = (username: string, token = '') =>
    ask(api, 'AppUser/SetAppUser', { token, method: 'POST', body: { username, roleId } })
  await addUser(api.pool, { username: 'secret@elsewhere.example', functions: [2], customerId: theirs })
  const codes: string[] = []
  // Two admins take turns, because the limit belongs to the customer.
  for (let n = 0; n < 14; n += 1) codes.push((await add('secret@elsewhere.example', admins[n % 2])).json().code)
  expect(codes.filter((code) => code === 'username_taken')).toHaveLength(10)
  expect(codes.slice(10)).toEqual(Array(4).fill('too_many_requests'))
  // Even a free name gets the same answer now.
  const free = await add('nobody@elsewhere.example', admins[0])
  expect([free.json().code, Number(free.headers['retry-after']) > 0]).toEqual(['too_many_requests', true])
  const { rows } = await api.pool.query(
    `select count(*)::int as count from audit_log where author_customer_id = $1 and call = 'AppUser/SetAppUser'
       and outcome = 'username_taken'`,
    [third],
  )
  expect(rows[0].count).toBe(10)
  // Staff see every user anyway, so they get the real answer, and so does the next customer.
  expect((await add('secret@elsewhere.example', tokens.get('staff admin'))).json().code).toBe('username_taken')
  expect((await add('secret@elsewhere.example', tokens.get("customer's admin"))).json().code).toBe('username_taken')
})
