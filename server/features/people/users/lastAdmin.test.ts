import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UserId } from '#domain/ids.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask, openSession, type StartedApi } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { hasAdmin, isExplained, type People, type Step } from '#server/testing/people/peopleModel.ts'

const USERS = 4
/** Two of these roles make administrators, and one does not. */
const ROLES: readonly (readonly number[])[] = [[1], [1], [2]]

const first = await apiTest()
const apis = [first, await apiTest({ on: first })] as const
const customerId = await addCustomer(first.pool, 'Ours')

interface Town {
  readonly userIds: readonly UserId[]
  readonly roleIds: readonly number[]
  readonly roleNames: readonly string[]
  readonly tokens: (string | undefined)[]
}

/** Starts with these users only; earlier ones are deleted. */
async function settle(): Promise<Town> {
  const { pool } = apis[0]
  await pool.query('update app_user set deleted_at = now() where deleted_at is null')
  const roleIds: number[] = []
  const roleNames: string[] = []
  for (const functions of ROLES) {
    const name = `Role ${randomUUID()}`
    const { rows } = await pool.query('insert into app_role (name) values ($1) returning id', [name])
    await pool.query('insert into app_role_function select $1, unnest($2::smallint[])', [rows[0].id, functions])
    roleIds.push(rows[0].id)
    roleNames.push(name)
  }
  const userIds: UserId[] = []
  for (let index = 0; index < USERS; index++) {
    const { rows } = await pool.query(
      `insert into app_user (username, role_id, password_hash) values ($1, $2, 'set') returning id`,
      [`${randomUUID()}@t.example`, roleIds[index % ROLES.length]],
    )
    userIds.push(rows[0].id)
  }
  return { userIds, roleIds, roleNames, tokens: userIds.map(() => undefined) }
}

/** Signs in everybody who can, so that later steps have sessions. */
async function signInAll({ userIds, tokens }: Town): Promise<void> {
  const { pool } = apis[0]
  for (const [index, id] of userIds.entries()) {
    const alive = await pool.query(`select from app_session where user_id = $1 and expires_at > clock_timestamp()`, [
      id,
    ])
    if (alive.rowCount === 0) tokens[index] = await openSession(pool, id)
  }
}

async function peopleNow({ userIds, roleIds }: Town): Promise<People> {
  const { pool } = apis[0]
  const users = await pool.query(
    `select role_id, customer_id is not null as ours, is_disabled, deleted_at is not null as deleted,
       exists (select from app_session s where s.user_id = u.id and s.expires_at > clock_timestamp()) as signed_in
     from app_user u where id = any($1::int[]) order by id`,
    [userIds],
  )
  const roles = await pool.query(
    `select deleted_at is not null as deleted,
       array(select function_id::int from app_role_function f where f.role_id = r.id order by 1) as functions
     from app_role r where id = any($1::int[]) order by id`,
    [roleIds],
  )
  return {
    users: users.rows.map((row) => ({
      functionsFrom: roleIds.indexOf(row.role_id),
      isOurs: row.ours,
      isDisabled: row.is_disabled,
      isDeleted: row.deleted,
      isSignedIn: row.signed_in,
    })),
    roles: roles.rows.map((row) => ({ functions: row.functions, isDeleted: row.deleted })),
  }
}

async function make(api: StartedApi, town: Town, step: Step): Promise<number> {
  const token = town.tokens[step.caller]
  const setUser = (change: object) =>
    ask(api, 'AppUser/SetAppUser', {
      token,
      method: 'POST',
      body: { id: 'user' in step ? town.userIds[step.user] : 0, ...change },
    })
  const setRole = (functions: readonly number[]) =>
    ask(api, 'AppRole/SetAppRole', {
      token,
      method: 'POST',
      body: {
        id: 'role' in step ? town.roleIds[step.role] : 0,
        name: 'role' in step ? town.roleNames[step.role] : '',
        roleFunctions: functions.map((functionId) => ({ functionId })),
      },
    })
  const asked = {
    disable: () => setUser({ isDisabled: true }),
    enable: () => setUser({ isDisabled: false }),
    toCustomer: () => setUser({ customerId }),
    toStaff: () => setUser({ customerId: null }),
    give: () => setUser({ roleId: 'role' in step ? town.roleIds[step.role] : 0 }),
    delete: () =>
      ask(api, 'AppUser/DelAppUser', { token, query: { id: 'user' in step ? (town.userIds[step.user] ?? 0) : 0 } }),
    strip: () => setRole([]),
    arm: () => setRole([1]),
    remove: () =>
      ask(api, 'AppRole/DelAppRole', { token, query: { id: 'role' in step ? (town.roleIds[step.role] ?? 0) : 0 } }),
  }[step.kind]
  return (await asked()).statusCode
}

const caller = fc.nat(USERS - 1)
const user = fc.nat(USERS - 1)
const role = fc.nat(ROLES.length - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ caller, user, kind: fc.constantFrom('disable', 'enable', 'delete', 'toCustomer', 'toStaff') }),
  fc.record({ caller, user, role, kind: fc.constant('give' as const) }),
  fc.record({ caller, role, kind: fc.constantFrom('strip', 'arm', 'remove') }),
)
/** These steps run at the same time, at both servers. */
const together = fc.array(step, { minLength: 1, maxLength: 4 })

test('no sequence of calls, also of calls at the same time, leaves the installation without an administrator', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(together, { minLength: 1, maxLength: 8 }), async (rounds) => {
      const town = await settle()
      for (const steps of rounds) {
        await signInAll(town)
        const before = await peopleNow(town)
        const made = await Promise.all(
          steps.map(async (one, index) => ({
            step: one,
            status: await make(index % 2 === 0 ? apis[0] : apis[1], town, one),
          })),
        )
        const after = await peopleNow(town)
        expect(hasAdmin(after)).toBe(true)
        expect({ before, made, after, isExplained: isExplained(before, made, after) }).toMatchObject({
          isExplained: true,
        })
      }
    }),
    { numRuns: 60, endOnFailure: true },
  )
}, 300_000)

test('two administrators who demote each other at the same time: one of them stays', async () => {
  for (let round = 0; round < 20; round++) {
    const town = await settle()
    await signInAll(town)
    // The first, second and fourth of the users are administrators; the fourth loses the role here.
    await apis[0].pool.query('update app_user set role_id = $1 where id = $2', [town.roleIds[2], town.userIds[3]])
    const statuses = await Promise.all([
      make(apis[0], town, { caller: 0, user: 1, role: 2, kind: 'give' }),
      make(apis[1], town, { caller: 1, user: 0, role: 2, kind: 'give' }),
    ])
    expect([...statuses].sort()).toEqual([200, 403])
    expect(hasAdmin(await peopleNow(town))).toBe(true)
  }
})

test('who loses their function while they wait for their turn does nothing by it', async () => {
  const town = await settle()
  await signInAll(town)
  const turn = await apis[0].pool.connect()
  await turn.query('begin')
  await turn.query(`select ${lockUntilCommit('people')}`)
  const waiting = make(apis[1], town, { caller: 1, role: 2, kind: 'arm' })
  const waits = () => turn.query(`select from pg_locks where locktype = 'advisory' and not granted`)
  await eventually(waits, ({ rowCount }) => rowCount === 1)
  await turn.query('update app_user set role_id = $1 where id = $2', [town.roleIds[2], town.userIds[1]])
  await turn.query('commit')
  turn.release()
  expect(await waiting).toBe(403)
  expect((await peopleNow(town)).roles[2]?.functions).not.toContain(1)
})

test('the last administrator is told why they stay', async () => {
  const town = await settle()
  await signInAll(town)
  await apis[0].pool.query('update app_user set role_id = $1 where id <> $2', [town.roleIds[2], town.userIds[0]])
  const token = town.tokens[0]
  const answer = await ask(apis[0], 'AppUser/DelAppUser', { token, query: { id: town.userIds[0] ?? 0 } })
  expect([answer.statusCode, answer.json()]).toEqual([
    409,
    {
      code: 'last_admin',
      message: 'Nobody could administer the installation any more: this is its last active administrator.',
    },
  ])
  const { rows } = await apis[0].pool.query('select outcome, entity_id from audit_log order by id desc limit 1')
  expect(rows[0]).toEqual({ outcome: 'last_admin', entity_id: town.userIds[0] })
})

test('who has no password yet keeps nothing manageable', async () => {
  const town = await settle()
  await signInAll(town)
  await apis[0].pool.query('update app_user set password_hash = null where id <> $1', [town.userIds[0]])
  expect(await make(apis[0], town, { caller: 0, user: 0, kind: 'disable' })).toBe(409)
})
