import pg from 'pg'
import { expect, test } from 'vitest'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask, openSession } from '#server/testing/callers.ts'

const api = await apiTest()
const ours = await addCustomer(api.pool, 'Ours')
const theirs = await addCustomer(api.pool, 'Theirs')
const staff = await api.signedIn({ username: 'boss@staff.example', functions: [1] })
const userId = await addUser(api.pool, { username: 'manager@ours.example', functions: [2], customerId: ours })
const manager = { userId, token: await openSession(api.pool, userId) }

interface RowToAdd {
  readonly name?: string
  readonly details?: string
  readonly actionId?: number
  readonly entityTypeId?: number
  readonly entityId?: number
  readonly customerId?: CustomerId | null
  readonly userId?: UserId | null
  readonly authorCustomerId?: CustomerId | null
  readonly at?: string
  readonly before?: object
  readonly after?: object
  readonly bulkId?: string
  readonly outcome?: string
}

async function addRow(row: RowToAdd = {}): Promise<void> {
  await api.pool.query(
    `insert into audit_log (inserted_at, action_id, entity_type_id, entity_id, entity_name, details, customer_id,
       user_id, username, author_customer_id, address, call, outcome, before, after, bulk_id)
     values (coalesce($1, now()), $2, $3, $4, $5, $6, $7, $8, 'author@somewhere.example', $9, '10.1.2.3', 'Test', $13, $10, $11, $12)`,
    [
      row.at ?? null,
      row.actionId ?? 2,
      row.entityTypeId ?? 1,
      row.entityId ?? null,
      row.name ?? '',
      row.details ?? '',
      row.customerId ?? null,
      row.userId ?? null,
      row.authorCustomerId ?? null,
      row.before ?? { name: 'before' },
      row.after ?? { name: 'after' },
      row.bulkId ?? null,
      row.outcome ?? 'done',
    ],
  )
}

const list = (body: object, token = staff) => ask(api, 'Audit/GetAuditLogList', { method: 'POST', body, token })
const rowsOf = async (body: object, token = staff): Promise<AuditEntry[]> =>
  (await list({ rowNum: 1, ...body }, token)).json().rows
const namesOf = async (body: object, token = staff) => (await rowsOf(body, token)).map(({ entityName }) => entityName)

test('pages of 50 follow each other by row and by key, and miss nothing although many rows share a moment', async () => {
  for (let n = 0; n < 120; n += 1) await addRow({ name: `paged ${n}`, at: '2020-05-01T10:00:00.123456Z' })
  const filter = { entityName: 'PAGED', pageSize: 50 }
  const pages = [await list({ ...filter, rowNum: 1 })]
  for (let next = pages[0]?.json().next; next; next = pages.at(-1)?.json().next) {
    pages.push(await list({ ...filter, next }))
  }
  expect(pages.map((page) => page.json().rows.length)).toEqual([50, 50, 20])
  const byKey = pages.flatMap((page) => page.json().rows.map(({ id }: AuditEntry) => id))
  expect(new Set(byKey).size).toBe(120)
  expect(byKey).toEqual([...byKey].sort((one, next) => next - one))
  const byRow = [...(await rowsOf({ ...filter, rowNum: 1 })), ...(await rowsOf({ ...filter, rowNum: 51 }))]
  expect(byRow.map(({ id }) => id)).toEqual(byKey.slice(0, 100))
  expect((await list({ rowNum: 10_001 })).json()).toMatchObject({ code: 'page_too_deep' })
  expect((await list({ next: 'nonsense' })).statusCode).toBe(400)
})

test('without paging it answers a plain array of the 50 newest', async () => {
  const rows = (await list({ entityName: 'paged' })).json()
  expect(Array.isArray(rows)).toBe(true)
  expect(rows).toHaveLength(50)
})

test('an entry says who did what, when, from and to what', async () => {
  await addRow({ name: 'Pier 4', actionId: 2, entityTypeId: 1, entityId: 4_711, details: 'Renamed' })
  expect(await rowsOf({ entityId: 4_711 })).toEqual([
    {
      id: expect.any(Number),
      inserted: expect.stringMatching(/Z$/),
      actionId: 2,
      actionName: 'Update',
      entityTypeId: 1,
      entityTypeName: 'Device',
      entityId: 4_711,
      entityName: 'Pier 4',
      userId: null,
      username: 'author@somewhere.example',
      details: 'Renamed',
      outcome: 'done',
      settingOutcome: null,
      address: '10.1.2.3',
      call: 'Test',
      before: { name: 'before' },
      after: { name: 'after' },
      bulkId: null,
      deviceGuid: null,
      fold: null,
      names: [],
    },
  ])
})

test('every filter narrows, and null and absent mean all', async () => {
  const at = '2021-03-04T12:00:00Z'
  await addRow({
    name: 'f one',
    at,
    actionId: 3,
    entityTypeId: 4,
    entityId: 9,
    userId: manager.userId,
    details: '100%',
  })
  await addRow({ name: 'f two', at: '2021-03-05T00:00:00Z', details: '100 pieces' })
  const within = { dateFrom: '2021-03-04', dateTo: '2021-03-05' }
  expect(await namesOf(within)).toEqual(['f two', 'f one'])
  expect(await namesOf({ ...within, dateTo: '2021-03-04T12:00:00Z' })).toEqual(['f one'])
  for (const filter of [
    { actionId: 3 },
    { entityTypeId: 4 },
    { entityId: 9 },
    { userId: manager.userId },
    { entityName: 'F ONE' },
    { details: '100%' },
  ]) {
    expect([filter, await namesOf({ ...within, ...filter })]).toEqual([filter, ['f one']])
  }
  const all = { actionId: null, entityTypeId: null, entityName: null, userId: null, details: null, entityId: null }
  expect(await namesOf({ ...within, ...all })).toEqual(['f two', 'f one'])
})

test('what changed is found by the words of the screens, within the scope of the reader', async () => {
  const at = '2021-06-01T00:00:00Z'
  const of = { at, customerId: ours }
  const display = { section: 'display', number: 1, backlightLevel: 40, brightness: 50, gammaValue: 2.2 }
  await addRow({ ...of, name: 'backlight', before: display, after: { ...display, backlightLevel: 80 } })
  await addRow({ ...of, name: 'gamma', before: display, after: { ...display, gammaValue: 2 } })
  await addRow({ ...of, name: 'plan', before: { section: 'dayPlan' }, after: { section: 'dayPlan', workdays: [] } })
  await addRow({ ...of, name: 'zone', before: { timeZone: 'UTC' }, after: { timeZone: 'Europe/Oslo' } })
  await addRow({ ...of, name: 'words', before: {}, after: {}, details: 'Brightness 100 % by phone' })
  await addRow({ at, name: 'elsewhere', customerId: theirs, before: display, after: { ...display, backlightLevel: 1 } })
  const found = async (changed: string, token?: string) =>
    (await namesOf({ changed, dateFrom: at, dateTo: at }, token)).sort()
  expect(await found('brightness')).toEqual(['backlight', 'elsewhere', 'plan', 'words'])
  expect(await found('brightness', manager.token)).toEqual(['backlight', 'plan', 'words'])
  expect(await found('Backlight level', manager.token)).toEqual(['backlight'])
  expect(await found('Black level', manager.token)).toEqual([])
  expect(await found(' time zone ')).toEqual(['zone'])
  expect(await found('100 %')).toEqual(['words'])
  expect(
    (await list({ changed: 'brightness' }, await api.signedIn({ username: 'analyst@ours.example', functions: [3] })))
      .statusCode,
  ).toBe(403)
})

test('a customer user sees rows about the own customer, and what own users were refused; others are "Staff"', async () => {
  const at = '2022-01-01T00:00:00Z'
  await addRow({ name: 'ours by ours', at, customerId: ours, authorCustomerId: ours, userId: manager.userId })
  await addRow({ name: 'ours by staff', at, customerId: ours, userId: 1 as UserId })
  await addRow({ name: 'ours refused', at, authorCustomerId: ours, userId: manager.userId })
  await addRow({ name: 'theirs', at, customerId: theirs, authorCustomerId: theirs })
  await addRow({ name: 'theirs by ours', at, customerId: theirs, authorCustomerId: ours, userId: manager.userId })
  await addRow({ name: 'theirs refused', at, authorCustomerId: theirs })
  await addRow({ name: 'of nobody', at })
  const within = { dateFrom: at, dateTo: at }
  expect(await namesOf(within)).toHaveLength(7)
  const seen = await rowsOf(within, manager.token)
  expect(seen.map(({ entityName }) => entityName).sort()).toEqual(['ours by ours', 'ours by staff', 'ours refused'])
  const byStaff = seen.find(({ entityName }) => entityName === 'ours by staff')
  expect(byStaff).toMatchObject({ username: 'Staff', userId: null, address: '' })
  const byOurs = seen.find(({ entityName }) => entityName === 'ours by ours')
  expect(byOurs).toMatchObject({ username: 'author@somewhere.example', userId: manager.userId, address: '10.1.2.3' })
  // A filter by somebody must not reveal whose the rows are.
  expect(await rowsOf({ ...within, userId: 1 }, manager.token)).toEqual([])
  expect((await namesOf({ ...within, userId: manager.userId }, manager.token)).sort()).toEqual([
    'ours by ours',
    'ours refused',
  ])
})

test('numbers of customers, roles and users are named within the scope of the reader, and a removed one is told', async () => {
  const roleIds = (
    await api.pool.query<{ id: number }>(
      `insert into app_role (name, deleted_at) values ('Night shift', null), ('Day shift', now()) returning id`,
    )
  ).rows.map(({ id }) => id)
  const gone = await addUser(api.pool, { username: 'gone@ours.example', functions: [2], customerId: ours })
  await api.pool.query('update app_user set deleted_at = now() where id = $1', [gone])
  const before = { customerId: theirs, roleId: roleIds[0], ownerId: manager.userId, modelId: 1 }
  const after = { customerId: ours, roleId: roleIds[1], ownerId: gone }
  await addRow({ name: 'named', customerId: ours, before, after })
  const named = async (token?: string) => {
    const { names } = (await rowsOf({ entityName: 'named' }, token))[0] as AuditEntry
    return names.map(({ field, id, name }) => [field, id, name])
  }
  const everybodys = [
    ['roleId', roleIds[0], 'Night shift'],
    ['roleId', roleIds[1], null],
    ['ownerId', manager.userId, 'manager@ours.example'],
    ['ownerId', gone, null],
  ]
  expect(await named()).toEqual([['customerId', theirs, 'Theirs'], ['customerId', ours, 'Ours'], ...everybodys])
  expect(await named(manager.token)).toEqual([['customerId', ours, 'Ours'], ...everybodys])
  expect((await rowsOf({ entityName: 'paged', pageSize: 1 }))[0]?.names).toEqual([])
})

test('a call that was refused is there with its reason; too many and the wrong method leave nothing', async () => {
  const body = { customerId: ours, modelId: 1, name: 'Nope' }
  await ask(api, 'Device/CreateDevice', { method: 'POST', body, token: manager.token })
  expect((await rowsOf({}))[0]).toMatchObject({
    actionName: 'Create',
    entityTypeName: 'Device',
    outcome: 'forbidden',
    details: 'You do not have permission to do this.',
    before: null,
    after: null,
  })
  const newest = (await rowsOf({}))[0]?.id
  await ask(api, 'Device/CreateDevice', { method: 'PUT', body, token: manager.token })
  expect((await rowsOf({}))[0]?.id).toBe(newest)
})

test('the words of actions and entities are answered', async () => {
  const words = async (path: string) => (await ask(api, path, { token: manager.token })).json()
  expect(await words('Audit/GetActionList')).toContainEqual({ id: 6, name: 'Command' })
  expect(await words('Audit/GetEntityTypeList')).toContainEqual({ id: 1, name: 'Device' })
})

test('with a quarter of a million rows every page comes by an index', async () => {
  const owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  await owner.query(
    `insert into audit_log (inserted_at, action_id, entity_type_id, entity_id, entity_name, customer_id, user_id, call, outcome, bulk_id)
     select '2019-01-01'::timestamptz + n * interval '1 second', 1 + n % 8, 1 + n % 11, n % 5000, 'many', $1::int + n % 2,
       1 + n % 300, 'Test', 'done', case when n % 10 = 0 then ('00000000-0000-4000-8000-' || lpad((n / 500)::text, 12, '0'))::uuid end
       from generate_series(1, 250000) n`,
    [ours],
  )
  await owner.query('analyze audit_log')
  await owner.end()
  const scans = async () =>
    (await api.pool.query(`select seq_scan::int as scans from pg_stat_user_tables where relname = 'audit_log'`)).rows[0]
  await settled()
  const before = await scans()
  for (const [filter, token] of [
    [{}, staff],
    [{ rowNum: 9_951 }, staff],
    [{ actionId: 3 }, staff],
    [{ entityTypeId: 4, actionId: 2 }, staff],
    [{ userId: 17 }, staff],
    [{ entityId: 42, entityTypeId: 1 }, staff],
    [{ bulkId: '00000000-0000-4000-8000-000000000042' }, staff],
    [{ changed: 'brightness' }, staff],
    [{ changed: 'time zone', folds: true }, manager.token],
    [{ folds: true }, staff],
    [{ folds: true, dateTo: '2019-01-03' }, staff],
    [{ dateFrom: '2019-01-03', dateTo: '2019-01-04' }, staff],
    [{}, manager.token],
    [{ actionId: 5 }, manager.token],
    [{ folds: true }, manager.token],
    [{ bulkId: '00000000-0000-4000-8000-000000000042', folds: true }, manager.token],
  ] as const) {
    const answer = await list({ rowNum: 1, pageSize: 50, ...filter }, token)
    expect([filter, answer.statusCode]).toEqual([filter, 200])
  }
  await settled()
  expect(await scans()).toEqual(before)
}, 240_000)

/** A connection writes its counters once it has been idle for a moment, so they are flushed first. */
async function settled() {
  await api.pool.query('select pg_stat_force_next_flush()')
}

test('the total of what is asked for is exact, on every page, and of folded rows counts what is shown', async () => {
  const bulkId = '6f0ce0b1-32c5-4a2c-9a55-0c1d4f1b8a01'
  for (let n = 0; n < 5; n += 1) await addRow({ name: `counted ${n}` })
  for (let n = 0; n < 3; n += 1) await addRow({ name: `counted bulk ${n}`, bulkId })
  const totalOf = async (body: object) => (await list({ entityName: 'counted', ...body })).json().total
  expect(await totalOf({ rowNum: 1, pageSize: 50 })).toBe(8)
  expect(await totalOf({ rowNum: 1, pageSize: 2 })).toBe(8)
  expect(await totalOf({ rowNum: 7, pageSize: 2 })).toBe(8)
  expect(await totalOf({ rowNum: 11, pageSize: 2 })).toBe(8)
  expect(await totalOf({ rowNum: 1, pageSize: 2, folds: true })).toBe(6)
  const { next } = (await list({ entityName: 'counted', rowNum: 1, pageSize: 7 })).json()
  expect(await totalOf({ pageSize: 7, next })).toBe(8)
})

test("what others changed is neither one's own, nor a sign-in, a refusal or of another customer", async () => {
  const [mine, at] = [manager.userId, '2021-03-01T10:00:00Z']
  const other = await addUser(api.pool, { username: 'other@ours.example', functions: [2], customerId: ours })
  const of = { customerId: ours, authorCustomerId: ours, at }
  await addRow({ ...of, name: 'by me', userId: mine })
  await addRow({ ...of, name: 'by another', userId: other })
  await addRow({ ...of, name: 'command', userId: other, actionId: 6 })
  await addRow({ ...of, name: 'sign-in', userId: other, actionId: 4 })
  await addRow({ ...of, name: 'by nobody' })
  await addRow({ ...of, name: 'refused', userId: other, outcome: 'forbidden' })
  await addRow({ name: 'elsewhere', at, customerId: theirs, authorCustomerId: theirs, userId: other })
  const filter = { byOthers: true, dateFrom: at, dateTo: '2021-03-02T00:00:00Z' }
  expect((await namesOf(filter, manager.token)).sort()).toEqual(['by another', 'command'])
  expect((await list({ ...filter, rowNum: 1, pageSize: 1 }, manager.token)).json().total).toBe(2)
})
