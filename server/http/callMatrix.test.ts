import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '#contract/call/call.ts'
import { isInScopes, TOKEN_SCOPE_IDS, type TokenScope } from '#contract/call/tokenScopes.ts'
import { ERRORS } from '#contract/errors.ts'
import { CALLS } from '#contract/http/table.ts'
import type { CustomerId, DeviceId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { openPool } from '#server/db/connect/pool.ts'
import {
  addApiToken,
  addCustomer,
  addDevice,
  addUser,
  ask,
  openBoundSession,
  openSession,
  startApi,
} from '#server/testing/callers.ts'
import {
  ADMIN,
  ANALYST,
  addMoved,
  addParts,
  addReport,
  EXPECTED,
  MANAGER,
  SEER,
  world,
} from '#server/testing/expectations/callExpectations.ts'
import {
  type Allowed,
  CANARY,
  type Expectation,
  OWN_CANARY,
  type Target,
} from '#server/testing/expectations/expectation.ts'
import {
  ALWAYS_FRESH,
  FRESH_OF_SEVERAL,
  FRESH_TO_MOVE_SECRETS,
} from '#server/testing/expectations/stepUpExpectations.ts'
import { type LeftBehind, watchWhatIsLeft } from '#server/testing/leftBehind.ts'
import { TEST_RELEASE_KEY } from '#server/testing/releases.ts'

const FUNCTIONS: readonly FunctionId[] = [1, 2, 3, 5, 7, 8]
/** The planner's statistics are refreshed after so many calls. */
const ANALYZED_EVERY = 10

interface Principal {
  readonly name: string
  readonly functions: readonly FunctionId[]
  readonly isCustomer: boolean
  readonly isDead: boolean
  readonly isLab: boolean
  readonly isInternal: boolean
  /** The principal uses an API token with these scopes. */
  readonly scopes?: readonly TokenScope[]
  readonly token: () => Promise<string | undefined>
}
const principals: Principal[] = []
let owner: ReturnType<typeof openPool>
let left: () => Promise<LeftBehind>

interface PrincipalToAdd {
  readonly functions: readonly FunctionId[]
  readonly isLab?: boolean
  readonly isInternal?: boolean
}

async function addPrincipals(customerId: CustomerId | undefined) {
  const place = customerId === undefined ? 'staff' : 'a'
  const kinds: readonly PrincipalToAdd[] = [
    ...[...FUNCTIONS.map((one) => [one]), [], [...FUNCTIONS]].map((functions) => ({ functions })),
    ...[[ADMIN], [MANAGER], [SEER], [ANALYST], []].map((functions) => ({
      functions: functions as FunctionId[],
      isLab: true,
    })),
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

async function addPrograms(own: CustomerId) {
  const { pool } = world.api
  const user = { username: 'programs@staff.example', functions: [...FUNCTIONS], isLab: true }
  const programs = { functions: FUNCTIONS, isDead: false, isLab: true, isInternal: false }
  const staffId = await addUser(pool, user)
  const all = { ...programs, name: 'a token for everything', isCustomer: false, scopes: TOKEN_SCOPE_IDS }
  principals.push({ ...all, token: async () => (await addApiToken(pool, staffId)).token })
  const scopes: readonly TokenScope[] = ['devices.read']
  const bound = { ...programs, name: 'a token of staff within a customer', isCustomer: true, scopes }
  principals.push({
    ...bound,
    token: async () => (await addApiToken(pool, staffId, { customerId: own, scopes })).token,
  })
  // This machine may do everything, but whoever made its token may only see devices.
  const makerId = await addUser(pool, { username: 'maker@a.example', functions: [SEER], customerId: own })
  const machineId = await addUser(pool, { username: 'machine@a.example', functions: FUNCTIONS, customerId: own })
  await pool.query('update app_user set password_hash = null where id = $1', [machineId])
  const machine = { ...programs, name: 'a machine', functions: [SEER] as const, isLab: false, isCustomer: true }
  const token = async () => (await addApiToken(pool, machineId, { makerId })).token
  principals.push({ ...machine, scopes: TOKEN_SCOPE_IDS, token })
}

async function addDeadToken(name: string, kill: string) {
  const userId = await addUser(world.api.pool, { username: `${name}@a.example`, functions: [...FUNCTIONS] })
  const token = once(async () => {
    const added = await addApiToken(world.api.pool, userId)
    await world.api.pool.query(kill, [userId])
    return added.token
  })
  principals.push({ ...DEAD, name, token })
}

const DEAD = { functions: [], isCustomer: false, isDead: true, isLab: false, isInternal: false }

/** A dead session or token is made once and used for every call, because it stays dead. */
function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function addDead(name: string, kill: (userId: UserId) => Promise<unknown>) {
  const userId = await addUser(world.api.pool, { username: `${name}@a.example`, functions: [...FUNCTIONS] })
  const token = once(async () => {
    const opened = await openSession(world.api.pool, userId)
    await kill(userId)
    return opened
  })
  principals.push({ ...DEAD, name, token })
}

beforeAll(async () => {
  const internalUsers = ['staff', 'a'].flatMap((place) => [
    `internal-function1@${place}.example`,
    `internal-functionless@${place}.example`,
  ])
  world.api = await startApi({ config: { internalUsers, releaseKeys: [TEST_RELEASE_KEY] } })
  const { pool } = world.api
  owner = openPool(world.api.ownerUrl, { maximumConnections: 3, name: 'test owner' })
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
  for (const { id } of Object.values(world.devices)) if (id !== world.devices.never.id) await addParts(id)
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
  await addPrograms(own)
  await addDeadToken('a revoked token', 'update api_token set revoked_at = now() where user_id = $1')
  await addDeadToken('a token of somebody blocked', 'update app_user set is_disabled = true where id = $1')
  left = await watchWhatIsLeft(owner, foreign)
  // The owner's pool prepares the test, so that its statements do not count as the application's.
  world.api = { ...world.api, pool: owner }
})
afterAll(async () => {
  await owner.end()
  await world.api.stop()
})

function isAllowed(allowed: Exclude<Allowed, 'everybody'>, principal: Principal): boolean {
  const { functions, isLab, isInternal, isCustomer } = principal
  if (allowed === 'signedIn') return true
  if (allowed === 'internal') return isInternal
  if ('labWith' in allowed) return isLab && functions.some((one) => allowed.labWith.includes(one))
  if ('staffWith' in allowed) return !isCustomer && functions.some((one) => allowed.staffWith.includes(one))
  return functions.some((one) => allowed.includes(one))
}

function expectedStatus(
  call: Call,
  { allowed, about, refusal }: Expectation,
  principal: Principal,
  target: Target,
): number {
  const found = refusal ? ERRORS[refusal].status : 200
  if (allowed === 'everybody') return found
  if (principal.isDead) return 401
  if (principal.scopes && !isInScopes(call, principal.scopes)) return 403
  if (!isAllowed(allowed, principal)) return 403
  if (about === undefined || target === 'own' || target === 'movedIn') return found
  const isTheirs = target === 'foreign' || target === 'movedAway'
  return isTheirs && !principal.isCustomer ? found : 404
}

const TARGETS: readonly Target[] = ['own', 'foreign', 'deleted', 'never']
const MOVED: readonly Target[] = ['movedIn', 'movedAway']

/** Rights are judged before a target is looked for, so a few of those who are refused show that it makes no difference. */
const REFUSED_FOR_EVERY_TARGET = ['functionless@staff.example', 'functionless@a.example', 'nobody', 'disabled']

function isRefusedByRights(call: Call, { allowed }: Expectation, principal: Principal): boolean {
  if (allowed === 'everybody') return false
  if (principal.isDead || (principal.scopes && !isInScopes(call, principal.scopes))) return true
  return !isAllowed(allowed, principal)
}

/** Only customers who may make the call can tell moved devices apart from the others. */
function targetsOf(call: Call, expectation: Expectation, principal: Principal): readonly Target[] {
  const { about, allowed } = expectation
  if (about === undefined) return ['own']
  const isOneOfMany = !REFUSED_FOR_EVERY_TARGET.includes(principal.name)
  if (isOneOfMany && isRefusedByRights(call, expectation, principal)) return ['own']
  const mayTell = about === 'device' && principal.isCustomer && allowed !== 'everybody' && isAllowed(allowed, principal)
  return mayTell ? [...TARGETS, ...MOVED] : TARGETS
}

/** Every third of these comes to a call, and another third to the next. */
const THIRDS = 3

/**
 * Whether somebody's session lives is judged before the call is looked at, few calls ask for laboratories or internal
 * users, and some ask for nobody in particular: of callers that the rule cannot tell apart not all come to each call.
 */
function mustCome({ allowed }: Expectation, { isDead, isLab, isInternal, scopes }: Principal): boolean {
  if (allowed === 'everybody') return false
  if (scopes !== undefined) return true
  if (isInternal) return allowed === 'internal'
  return !isDead && (!isLab || (typeof allowed === 'object' && 'labWith' in allowed))
}

function callersOf(call: Call, expectation: Expectation): readonly Principal[] {
  const turn = CALLS.indexOf(call)
  return principals.filter(
    (principal, index) =>
      mustCome(expectation, principal) || (index + turn) % THIRDS === 0 || principal.name === 'nobody',
  )
}

let requests = 0
/** Each request comes from its own address, so that an audit row shows to which request it belongs. */
function newAddress(): string {
  requests += 1
  return `10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`
}

test('every call has an expectation, and nothing else has one', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(CALLS.map(({ path }) => path).sort())
})

interface Cell {
  readonly principal: Principal
  readonly target: Target
  readonly remoteAddress: string
  readonly answer: Awaited<ReturnType<typeof ask>>
}

const isStranger = ({ isCustomer, isDead }: Principal) => isCustomer || isDead

function findWrong(
  call: Call,
  expectation: Expectation,
  cells: readonly Cell[],
  { auditRows, foreignWrites }: LeftBehind,
) {
  const wrong: unknown[] = []
  for (const { principal, target, remoteAddress, answer } of cells) {
    const wanted = expectedStatus(call, expectation, principal, target)
    const outcome = wanted === 200 ? 'done' : answer.json().code
    const found = {
      status: answer.statusCode,
      auditRows: auditRows.filter(({ address }) => address === remoteAddress),
      leaks: isStranger(principal) && answer.body.includes(CANARY),
    }
    const should = {
      status: wanted,
      auditRows: call.changes ? [{ address: remoteAddress, call: call.path, outcome }] : [],
      leaks: false,
    }
    if (!isDeepStrictEqual(found, should)) wrong.push({ principal: principal.name, target, found, should })
  }
  const addresses = new Set(cells.map(({ remoteAddress }) => remoteAddress))
  const unasked = auditRows.filter(({ address }) => !addresses.has(address))
  if (unasked.length > 0) wrong.push({ unasked })
  if (foreignWrites.length > 0 && cells.some(({ principal }) => isStranger(principal))) wrong.push({ foreignWrites })
  return wrong
}

/**
 * Asks for every target. A call that changes what is there has to be prepared again, so it is judged before the next.
 */
async function askAbout(call: Call, expectation: Expectation, principal: Principal) {
  const cells: Cell[] = []
  const wrong: unknown[] = []
  let token: string | undefined
  let mayHaveEnded = true
  for (const target of targetsOf(call, expectation, principal)) {
    if (mayHaveEnded) token = await principal.token()
    if (expectation.prepare) {
      await expectation.prepare(target)
      await left()
    }
    const remoteAddress = newAddress()
    const answer = await ask(world.api, call.path, { token, remoteAddress, ...expectation.asked(target) })
    mayHaveEnded = call.changes !== undefined && ![401, 403].includes(answer.statusCode)
    cells.push({ principal, target, remoteAddress, answer })
    if (expectation.prepare) wrong.push(...findWrong(call, expectation, cells.slice(-1), await left()))
  }
  const refusals = new Set(
    cells.flatMap(({ answer: { statusCode, headers, body } }) => {
      const { date: _, ...others } = headers
      return statusCode === 404 ? [JSON.stringify([others, body])] : []
    }),
  )
  if (refusals.size > 1) wrong.push({ principal: principal.name, differentRefusals: [...refusals] })
  return { cells, wrong }
}

test.each(CALLS.map(({ path }) => path))(
  '%s answers every caller as expected, with one audit row per change',
  async (path) => {
    const expectation = EXPECTED[path]
    const call = CALLS.find((entry) => entry.path === path)
    if (!expectation || !call) throw new Error(`${path} has no expectation`)
    const wrong: unknown[] = []

    // Autovacuum would analyze these tables before long; plans made for few people take long for many.
    if (CALLS.indexOf(call) % ANALYZED_EVERY === 0)
      await owner.query('analyze app_user, app_role, app_session, api_token')
    await left()
    const cells: Cell[] = []
    const judge = async () => wrong.push(...findWrong(call, expectation, cells.splice(0), await left()))
    const callers = callersOf(call, expectation)
    for (const [index, principal] of callers.entries()) {
      const before = callers[index - 1]
      // Staff may write to the other customer, so their writes must not be judged together with those of strangers.
      if (before && isStranger(before) !== isStranger(principal)) await judge()
      const asked = await askAbout(call, expectation, principal)
      wrong.push(...asked.wrong)
      if (!expectation.prepare) cells.push(...asked.cells)
    }
    await judge()
    // What the call has changed or removed is there again for the next.
    for (const target of expectation.about === undefined ? [] : TARGETS) await expectation.prepare?.(target)
    expect(wrong).toEqual([])
  },
  120_000,
)

async function heldRefusals(userId: number): Promise<readonly string[]> {
  const { rows } = await world.api.pool.query(
    `delete from held_refusal where audit_row ->> 'user_id' = $1::text returning audit_row ->> 'outcome' as outcome`,
    [userId],
  )
  return rows.map(({ outcome }) => outcome)
}

test('who has not proved lately who they are is asked for it by keys, rights, releases, exports, deletions and the third device that is changed', async () => {
  const marked = CALLS.flatMap(({ path, stepUp }) => (stepUp ? [[path, stepUp] as const] : []))
  const byHand = [
    ...ALWAYS_FRESH.map((path) => [path, 'always'] as const),
    ...FRESH_OF_SEVERAL.map((path) => [path, 'ofSeveral'] as const),
  ]
  expect(Object.fromEntries(marked)).toEqual(Object.fromEntries(byHand))
  // Only the running service knows whether a secret moves; server/app/secretMoves.test.ts tries those calls.
  const moving = CALLS.flatMap(({ path, stepUpToMoveSecret }) => (stepUpToMoveSecret ? [path] : []))
  expect(moving.toSorted()).toEqual(FRESH_TO_MOVE_SECRETS)
  const user = { username: 'stale@staff.example', functions: FUNCTIONS, isLab: true }
  const userId = await addUser(world.api.pool, user)
  const others = [1_999_999_998, 1_999_999_999]
  const found: unknown[] = []
  await left()
  for (const [path, stepUp] of marked) {
    const asked = EXPECTED[path]?.asked('own') ?? {}
    const session = await openBoundSession(world.api.pool, userId)
    await world.api.pool.query(`update app_session set proved_at = now() - interval '15 minutes' where user_id = $1`, [
      userId,
    ])
    const sent = { ...session, ...asked }
    await world.api.pool.query(
      `insert into unproved_change (user_id, device_ids, changed_at) values ($1, $2, array[now(), now()])
       on conflict (user_id) do update set device_ids = excluded.device_ids, changed_at = excluded.changed_at`,
      [userId, others],
    )
    const { statusCode, body } = await ask(world.api, path, sent)
    const { auditRows } = await left()
    await world.api.pool.query('delete from unproved_change where user_id = $1', [userId])
    const alone = stepUp === 'always' ? undefined : (await ask(world.api, path, sent)).statusCode
    const held = await heldRefusals(userId)
    found.push([path, statusCode, JSON.parse(body).code, auditRows.length, held, alone === 403])
    await left()
  }
  const changes = (path: string) => CALLS.find((call) => call.path === path)?.changes
  const refused = (path: string) => (changes(path) ? ['step_up_required'] : [])
  expect(found).toEqual(marked.map(([path]) => [path, 403, 'step_up_required', 0, refused(path), false]))
})

test('on either side of a move nobody reads a word of the other, whatever they call', async () => {
  const { own, foreign } = world.customers
  const sides = [
    { name: 'Ours', customerId: own, personalTerms: OWN_CANARY, words: CANARY },
    { name: 'Theirs', customerId: foreign, personalTerms: CANARY, words: OWN_CANARY },
  ]
  const told: unknown[] = []
  for (const { name, customerId, personalTerms, words } of sides) {
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
    // The caller's own words are found, which proves that the search would find leaked ones.
    for (const asked of [{}, { query: { alertText: personalTerms } }]) {
      const { body } = await ask(world.api, 'Alert/GetAlertList', { token, ...asked })
      if (body.includes(words)) told.push({ name, asked, body })
      if ('query' in asked) expect(body).toContain(personalTerms)
    }
    for (const body of [{ pageSize: 500 }, { entityName: personalTerms }]) {
      const answer = await ask(world.api, 'Audit/GetAuditLogList', { token, method: 'POST', body })
      if (answer.body.includes(words)) told.push({ name, body: answer.body })
      if ('entityName' in body) expect(answer.body).toContain(personalTerms)
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
  const pool = openPool(world.api.applicationUrl, { maximumConnections: 1, name: 'test' })
  await expect(pool.query(`update audit_log set details = ''`)).rejects.toMatchObject({ code: '42501' })
  await expect(pool.query('delete from audit_log')).rejects.toMatchObject({ code: '42501' })
  await expect(pool.query('truncate audit_log')).rejects.toMatchObject({ code: '42501' })
  await pool.end()
})
