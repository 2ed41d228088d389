import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import { CALLS } from '#contract/http/table.ts'
import type { CustomerId, DeviceId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { ADMIN, ANALYST, addMoved, addReport, EXPECTED, MANAGER, world } from '#server/testing/callExpectations.ts'
import { addCustomer, addDevice, addUser, ask, countAuditRows, openSession, startApi } from '#server/testing/callers.ts'
import { type Allowed, CANARY, type Expectation, OWN_CANARY, type Target } from '#server/testing/expectation.ts'
import { TEST_RELEASE_KEY } from '#server/testing/releases.ts'

const FUNCTIONS: readonly FunctionId[] = [1, 2, 3, 5, 7]

interface Principal {
  readonly name: string
  readonly functions: readonly FunctionId[]
  readonly isCustomer: boolean
  readonly isDead: boolean
  readonly isLab: boolean
  readonly isInternal: boolean
  readonly token: () => Promise<string | undefined>
}
const principals: Principal[] = []

interface PrincipalToAdd {
  readonly functions: readonly FunctionId[]
  readonly isLab?: boolean
  readonly isInternal?: boolean
}

async function addPrincipals(customerId: CustomerId | undefined) {
  const place = customerId === undefined ? 'staff' : 'a'
  const kinds: readonly PrincipalToAdd[] = [
    ...[...FUNCTIONS.map((one) => [one]), [], [...FUNCTIONS]].map((functions) => ({ functions })),
    ...[[ADMIN], [MANAGER], [ANALYST], []].map((functions) => ({ functions: functions as FunctionId[], isLab: true })),
    ...[[ADMIN], []].map((functions) => ({ functions: functions as FunctionId[], isInternal: true })),
  ]
  for (const { functions, isLab = false, isInternal = false } of kinds) {
    const flags = `${isLab ? 'lab-' : ''}${isInternal ? 'internal-' : ''}`
    const name = `${flags}function${functions.join('-') || 'less'}@${place}.example`
    const userId = await addUser(world.api.pool, {
      username: name,
      functions,
      isLab,
      ...(customerId === undefined ? {} : { customerId }),
    })
    const token = () => openSession(world.api.pool, userId)
    principals.push({ name, functions, isCustomer: customerId !== undefined, isDead: false, isLab, isInternal, token })
  }
}

const DEAD = { functions: [], isCustomer: false, isDead: true, isLab: false, isInternal: false }

async function addDead(name: string, kill: (userId: UserId) => Promise<unknown>) {
  const userId = await addUser(world.api.pool, { username: `${name}@a.example`, functions: [...FUNCTIONS] })
  const token = async () => {
    const opened = await openSession(world.api.pool, userId)
    await kill(userId)
    return opened
  }
  principals.push({ ...DEAD, name, token })
}

beforeAll(async () => {
  const internalUsers = ['staff', 'a'].flatMap((place) => [
    `internal-function1@${place}.example`,
    `internal-functionless@${place}.example`,
  ])
  world.api = await startApi({ config: { internalUsers, releaseKeys: [TEST_RELEASE_KEY] } })
  const { pool } = world.api
  const [own, foreign] = [await addCustomer(pool, 'Ours'), await addCustomer(pool, CANARY)]
  const none = { deleted: 2_000_000_000 as CustomerId, never: 2_000_000_001 as CustomerId }
  world.customers = { ...none, own, foreign, movedIn: own, movedAway: foreign }
  world.mover = await openSession(pool, await addUser(pool, { username: 'mover@staff.example', functions: [ADMIN] }))
  world.devices = {
    movedIn: await addMoved('movedIn'),
    movedAway: await addMoved('movedAway'),
    own: await addDevice(pool, { name: 'Own', customerId: own }),
    foreign: await addDevice(pool, { name: CANARY, customerId: foreign, address: CANARY, attrSerial: CANARY }),
    deleted: await addDevice(pool, { name: 'Deleted', customerId: own }),
    never: { id: 2_000_000_000 as DeviceId, guid: randomUUID() },
  }
  for (const { id } of [world.devices.own, world.devices.deleted]) await addReport(id)
  await addReport(world.devices.foreign.id, CANARY)
  await pool.query('update device set deleted_at = now() where id = $1', [world.devices.deleted.id])
  await addPrincipals(undefined)
  await addPrincipals(own)
  principals.push({ ...DEAD, name: 'nobody', token: async () => undefined })
  principals.push({ ...DEAD, name: 'a made-up token', token: async () => 'A'.repeat(43) })
  const update = (sql: string) => (userId: UserId) => pool.query(sql, [userId])
  await addDead('disabled', update('update app_user set is_disabled = true where id = $1'))
  await addDead('deleted', update('update app_user set deleted_at = now() where id = $1'))
  await addDead(
    'roleless',
    update('update app_role set deleted_at = now() where id = (select role_id from app_user where id = $1)'),
  )
  await addDead('expired', update('update app_session set expires_at = now() where user_id = $1'))
  await addDead('idle', update(`update app_session set last_used_at = now() - interval '13 hours' where user_id = $1`))
})
afterAll(() => world.api.stop())

function isAllowed(allowed: Exclude<Allowed, 'everybody'>, principal: Principal): boolean {
  const { functions, isLab, isInternal, isCustomer } = principal
  if (allowed === 'signedIn') return true
  if (allowed === 'internal') return isInternal
  if ('labWith' in allowed) return isLab && functions.some((one) => allowed.labWith.includes(one))
  if ('staffWith' in allowed) return !isCustomer && functions.some((one) => allowed.staffWith.includes(one))
  return functions.some((one) => allowed.includes(one))
}

function expectedStatus({ allowed, about, refusal }: Expectation, principal: Principal, target: Target): number {
  if (allowed === 'everybody') return 200
  if (principal.isDead) return 401
  if (!isAllowed(allowed, principal)) return 403
  const found = refusal ? ERRORS[refusal].status : 200
  if (about === undefined || target === 'own' || target === 'movedIn') return found
  const isTheirs = target === 'foreign' || target === 'movedAway'
  return isTheirs && !principal.isCustomer ? found : 404
}

const TARGETS: readonly Target[] = ['own', 'foreign', 'deleted', 'never']
const MOVED: readonly Target[] = ['movedIn', 'movedAway']

/** Devices that moved are for customers who may make the call; for others they are no other than the rest. */
function targetsOf({ about, allowed }: Expectation, principal: Principal): readonly Target[] {
  if (about === undefined) return ['own']
  const mayTell = about === 'device' && principal.isCustomer && allowed !== 'everybody' && isAllowed(allowed, principal)
  return mayTell ? [...TARGETS, ...MOVED] : TARGETS
}

/** Everything of the other customer, and of nobody in particular, that no refused call may change. */
async function foreignRows(): Promise<string> {
  const { rows } = await world.api.pool.query(
    `select md5(string_agg(t::text, '|' order by t::text)) as hash from (
       select d::text from device d where customer_id = $1
       union all select k::text from device_credential k where device_id = any ($2)
       union all select o::text from device_component o where device_id = any ($2)
       union all select s::text from device_setting s where device_id = any ($2)
       union all select m::text from device_command m where device_id = any ($2)
       union all select e::text from device_deletion e where device_id = any ($2)
       union all select l::text from alert l where device_id = any ($2)
       union all select v::text from alert_event v where device_id = any ($2)
       union all select t::text from alert_state t where device_id = any ($2)
       union all select n::text from alert_condition n where device_id = any ($2)
       union all select x::text from client_update x where device_id = any ($2)
       union all select w::text from maintenance_entry w where device_id = any ($2)
       union all select u::text from app_user u where customer_id = $1
       union all select c::text from customer c where id = $1) t`,
    [world.customers.foreign, [world.devices.foreign.id, world.devices.movedAway.id]],
  )
  return rows[0].hash
}

test('every call has an expectation, and nothing else has one', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(CALLS.map(({ path }) => path).sort())
})

test.each(CALLS.map(({ path }) => path))(
  '%s answers every caller as expected, with one audit row per change',
  async (path) => {
    const expectation = EXPECTED[path]
    const call = CALLS.find((entry) => entry.path === path)
    if (!expectation || !call) throw new Error(`${path} has no expectation`)
    const wrong: unknown[] = []

    for (const principal of principals) {
      const refusals = new Set<string>()
      for (const target of targetsOf(expectation, principal)) {
        const token = await principal.token()
        await expectation.prepare?.(target)
        const rowsBefore = await countAuditRows(world.api.pool)
        const hashBefore = principal.isCustomer || principal.isDead ? await foreignRows() : ''
        const answer = await ask(world.api, path, { token, ...expectation.asked(target) })
        const rows = (await countAuditRows(world.api.pool)) - rowsBefore
        const hashAfter = principal.isCustomer || principal.isDead ? await foreignRows() : ''
        const wanted = expectedStatus(expectation, principal, target)
        const { date: _, ...headers } = answer.headers
        if (answer.statusCode === 404) refusals.add(JSON.stringify([headers, answer.body]))
        const leaks = (principal.isCustomer || principal.isDead) && answer.body.includes(CANARY)
        const found = { status: answer.statusCode, rows, leaks, isUntouched: hashBefore === hashAfter }
        const should = { status: wanted, rows: call.changes ? 1 : 0, leaks: false, isUntouched: true }
        if (JSON.stringify(found) !== JSON.stringify(should))
          wrong.push({ principal: principal.name, target, found, should })
        if (call.changes) {
          const { rows: newest } = await world.api.pool.query(
            'select call, outcome from audit_log order by id desc limit 1',
          )
          const outcome = wanted === 200 ? 'done' : answer.json().code
          if (newest[0].call !== path || newest[0].outcome !== outcome)
            wrong.push({ principal: principal.name, newest })
        }
      }
      if (refusals.size > 1) wrong.push({ principal: principal.name, differentRefusals: [...refusals] })
    }
    expect(wrong).toEqual([])
  },
  120_000,
)

test('on either side of a move nobody reads a word of the other, whatever they call', async () => {
  const { own, foreign } = world.customers
  const sides = [
    { name: 'Ours', customerId: own, ownWords: OWN_CANARY, words: CANARY },
    { name: 'Theirs', customerId: foreign, ownWords: CANARY, words: OWN_CANARY },
  ]
  const told: unknown[] = []
  for (const { name, customerId, ownWords, words } of sides) {
    const user = { username: `everything@${name}.example`, functions: FUNCTIONS, customerId, isLab: true }
    const token = await openSession(world.api.pool, await addUser(world.api.pool, user))
    for (const { path, changes } of CALLS) {
      const expectation = EXPECTED[path]
      if (changes || !expectation) continue
      for (const target of expectation.about === 'device' ? MOVED : (['own', 'foreign'] as const)) {
        const { body } = await ask(world.api, path, { token, ...expectation.asked(target) })
        if (body.includes(words)) told.push({ path, name, target, body })
      }
    }
    // So that it would be noticed: the words of one's own time are found.
    for (const asked of [{}, { query: { alertText: ownWords } }]) {
      const { body } = await ask(world.api, 'Alert/GetAlertList', { token, ...asked })
      if (body.includes(words)) told.push({ name, asked, body })
      if ('query' in asked) expect(body).toContain(ownWords)
    }
    for (const body of [{ pageSize: 500 }, { entityName: ownWords }]) {
      const answer = await ask(world.api, 'Audit/GetAuditLogList', { token, method: 'POST', body })
      if (answer.body.includes(words)) told.push({ name, body: answer.body })
      if ('entityName' in body) expect(answer.body).toContain(ownWords)
    }
  }
  expect(told).toEqual([])
})

test('a customer user creates no device for another customer, and one for nobody in particular is their own', async () => {
  const creator = principals.find(({ name }) => name === 'function3@a.example')
  const token = await creator?.token()
  const create = (customerId?: CustomerId) =>
    ask(world.api, 'Device/CreateDevice', { token, method: 'POST', body: { customerId, modelId: 1, name: 'Mine' } })
  const [foreign, never] = [await create(world.customers.foreign), await create(world.customers.never)]
  expect([foreign.statusCode, foreign.body]).toEqual([404, never.body])
  expect((await create()).json()).toMatchObject({ customerId: world.customers.own, statusId: 1 })
})

test('a customer user finds only the own customer among the customers, and only own devices in the list', async () => {
  const admin = principals.find(({ name }) => name === 'function1@a.example')
  const token = await admin?.token()
  expect((await ask(world.api, 'Customer/GetCustomerList', { token })).json()).toEqual([
    { id: world.customers.own, name: 'Ours' },
  ])
  const listed = (await ask(world.api, 'Device/GetDeviceList', { token })).json() as { customerId: number }[]
  expect(new Set(listed.map(({ customerId }) => customerId))).toEqual(new Set([world.customers.own]))
})

test('the application can neither change nor delete an audit row', async () => {
  await expect(world.api.pool.query(`update audit_log set details = ''`)).rejects.toMatchObject({ code: '42501' })
  await expect(world.api.pool.query('delete from audit_log')).rejects.toMatchObject({ code: '42501' })
  await expect(world.api.pool.query('truncate audit_log')).rejects.toMatchObject({ code: '42501' })
})
