import { afterAll, expect, test } from 'vitest'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { openPool } from './pool.ts'
import { plannedOnce, short } from './prepared.ts'

const { database, owner } = await databaseTest('empty')
await owner.query(`
  create table reported (at timestamptz, value integer) partition by range (at);
  create table reported_1 partition of reported for values from ('2026-01-01Z') to ('2026-01-02Z');
  create table reported_2 partition of reported for values from ('2026-01-02Z') to ('2026-01-03Z');
  insert into reported select timestamptz '2026-01-01 12:00Z' + n * interval '1 day', n from generate_series(0, 1) n`)
const pool = openPool(database.ownerUrl, { maximumConnections: 3, name: 'test' })
afterAll(() => pool.end())

const VALUES = 'select value from reported where at >= $1 and at < $2 order by at'
const DAYS = [
  ['2026-01-01', '2026-01-02', [0]],
  ['2026-01-02', '2026-01-03', [1]],
  ['2026-01-01', '2026-01-03', [0, 1]],
  ['2026-01-03', '2026-01-04', []],
] as const
const days = (from: string, to: string) => [new Date(`${from}Z`), new Date(`${to}Z`)]
const FIRST = days(DAYS[0][0], DAYS[0][1])
const PID = 'select pg_backend_pid() as pid, $1::integer as index'
const HALF = 'select 10 / $1::integer as half'

test('a statement is planned once, whatever it is asked with', async () => {
  const one = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test one' })
  for (const [from, to, values] of DAYS) {
    const { rows } = await one.query<{ value: number }>(plannedOnce(VALUES, days(from, to)))
    expect(rows.map(({ value }) => value)).toEqual(values)
  }
  const { rows } = await one.query(
    'select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where statement = $1',
    [VALUES],
  )
  expect(rows).toEqual([{ generic: DAYS.length, custom: 0 }])
  // What is asked after it is planned as ever.
  expect((await one.query('show plan_cache_mode')).rows).toEqual([{ plan_cache_mode: 'auto' }])
  await one.end()
})

test('rows come as arrays and texts where that is asked for', async () => {
  const asText = { getTypeParser: () => (text: string) => text }
  const asked = { ...plannedOnce(VALUES, days('2026-01-01', '2026-01-03')), rowMode: 'array' as const, types: asText }
  expect((await pool.query<string[]>(asked)).rows).toEqual([['0'], ['1']])
})

test('short questions of one moment share a connection, and each has its own answer', async () => {
  const asked = await Promise.all([0, 1, 2, 3].map((index) => pool.query<{ pid: number }>(short(PID, [index]))))
  const [first] = asked
  expect(asked.map(({ rows }) => rows)).toEqual([0, 1, 2, 3].map((index) => [{ pid: first?.rows[0]?.pid, index }]))
  const mixed = [pool.query(short(HALF, [5])), pool.query(short(VALUES, FIRST)), pool.query(short(HALF, [2]))]
  expect((await Promise.all(mixed)).map(({ rows, rowCount }) => [rowCount, rows])).toEqual([
    [1, [{ half: 2 }]],
    [1, [{ value: 0 }]],
    [1, [{ half: 5 }]],
  ])
})

test('many of one moment are shared out among connections', async () => {
  const asked = Array.from({ length: 18 }, (_, index) =>
    pool.query<{ pid: number; index: number }>(short(PID, [index])),
  )
  const rows = (await Promise.all(asked)).flatMap((answer) => answer.rows)
  expect(rows.map(({ index }) => index)).toEqual(asked.map((_, index) => index))
  expect(new Set(rows.map(({ pid }) => pid)).size).toBe(3)
})

test('one that fails is told so, and takes none of the others with it', async () => {
  const asked = [5, 0, 2, 0, 1].map((divisor) => pool.query<{ half: number }>(short(HALF, [divisor])))
  asked.push(pool.query(short('select half from nowhere where $1', [true])), pool.query(short(HALF, [10])))
  const told = await Promise.allSettled(asked)
  expect(told.map((one) => (one.status === 'fulfilled' ? one.value.rows[0]?.half : one.reason.code))).toEqual([
    ...[2, '22012', 5, '22012', 10],
    ...['42P01', 1],
  ])
  expect((await pool.query(short(HALF, [1]))).rows).toEqual([{ half: 10 }])
})

test('where the connection breaks each is told, and the next ones have another', async () => {
  const asked = [
    short(HALF, [5]),
    short('select pg_terminate_backend(pg_backend_pid()), $1::text', ['']),
    short(HALF, [2]),
  ]
  const told = await Promise.allSettled(asked.map((one) => pool.query(one)))
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await pool.query(short(HALF, [1]))).rows).toEqual([{ half: 10 }])
})

test('a statement whose rows are known is read alike: as objects, arrays and texts, with rows and without, after a fault', async () => {
  const one = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test one' })
  const ROWS = 'select 10 / $1::integer as half, value, at from reported where value >= $2::integer order by value'
  const at = (day: number) => new Date(`2026-01-0${day}T12:00Z`)
  const both = [
    { half: 5, value: 0, at: at(1) },
    { half: 5, value: 1, at: at(2) },
  ]
  const asText = { getTypeParser: () => (text: string) => text }
  for (let time = 0; time < 3; time++) {
    expect((await one.query(short(ROWS, [2, 0]))).rows).toEqual(both)
    expect(await one.query(short(ROWS, [2, 7]))).toMatchObject({
      rows: [],
      rowCount: 0,
      fields: [{ name: 'half' }, {}, {}],
    })
    expect((await one.query({ ...short(ROWS, [2, 1]), rowMode: 'array' })).rows).toEqual([[5, 1, at(2)]])
    const texts = await one.query({ ...short(ROWS, [2, 1]), types: asText })
    expect(texts.rows).toEqual([{ half: '5', value: '1', at: expect.stringContaining('2026-01-02') }])
    await expect(one.query(short(ROWS, [0, 0]))).rejects.toThrow('division by zero')
    const [first, second] = await Promise.all([one.query(short(ROWS, [5, 1])), one.query(short(ROWS, [10, 1]))])
    expect([first.rows, second.rows]).toEqual([[{ half: 2, value: 1, at: at(2) }], [{ half: 1, value: 1, at: at(2) }]])
  }
  // Rows that look otherwise than the statement was told are refused, never read wrongly.
  await owner.query('alter table reported rename column value to worth')
  await owner.query('alter table reported add column value text')
  await expect(one.query(short(ROWS, [2, 0]))).rejects.toThrow()
  await owner.query('alter table reported drop column value')
  await owner.query('alter table reported rename column worth to value')
  expect((await one.query(short(ROWS, [2, 0]))).rows).toEqual(both)
  await one.end()
})
