import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { SlowDatabase } from '#server/testing/database/SlowDatabase.ts'
import { later, planned, together } from './CheckedDialect.ts'
import { type Db, openDatabase } from './database.ts'
import { openPool } from './pool.ts'

const { database, owner } = await databaseTest('empty')
await owner.query(`create table written (text text primary key)`)
const slow = await SlowDatabase.start(database.ownerUrl)
const pool = openPool(slow.through(database.ownerUrl), { maximumConnections: 1, name: 'test' })
const db = openDatabase(pool)
afterAll(async () => {
  await pool.end()
  await slow.stop()
})

const insert = (text: string) => sql`insert into written values (${text})`.compile(db)
const NUMBER = sql<{ transactionNumber: string }>`select pg_current_xact_id()::text as "transactionNumber"`
const locked = sql<{ text: string }>`select text from written order by text for update`
const written = async () => (await owner.query<{ text: string }>('select text from written order by text')).rows
const texts = async () => (await written()).map(({ text }) => text)
const inTransaction = <Result>(work: (transaction: Db) => Promise<Result>) => db.transaction().execute(work)

test('a transaction begins with its first statement, and what nobody waits for goes with its commit', async () => {
  await db.executeQuery(insert('before'))
  const trips = await slow.roundTripsOf(() =>
    inTransaction(async (transaction) => {
      expect((await locked.execute(transaction)).rows).toEqual([{ text: 'before' }])
      await transaction.executeQuery(later(insert('first')))
      await transaction.executeQuery(later(insert('second')))
    }),
  )
  expect([trips, await texts()]).toEqual([2, ['before', 'first', 'second']])
})

test('what nobody waits for is there for the next statement, and knows the number of its transaction', async () => {
  await inTransaction(async (transaction) => {
    await locked.execute(transaction)
    const { rows } = await transaction.executeQuery(later(insert('third')))
    expect((await locked.execute(transaction)).rows).toHaveLength(4)
    expect(rows).toEqual((await NUMBER.execute(transaction)).rows)
  })
  await inTransaction(async (transaction) => {
    // Nothing has a number yet: it says so itself.
    const { rows } = await transaction.executeQuery(later(NUMBER.compile(db)))
    expect(rows).toEqual((await NUMBER.execute(transaction)).rows)
  })
})

test('statements that go together are one round trip, each with its own rows and in their order', async () => {
  const ask = (executor: Db) =>
    together<[unknown, { count: number }, { text: string }]>(executor, [
      sql`insert into written values ('fourth') on conflict do nothing`.compile(db),
      sql<{ count: number }>`select count(*)::int as count from written`.compile(db),
      sql<{ text: string }>`select ${'ü'} as text`.compile(db),
    ])
  expect(await ask(db)).toEqual([[], [{ count: 5 }], [{ text: 'ü' }]])
  const trips = await slow.roundTripsOf(() =>
    inTransaction(async (transaction) => {
      expect(await ask(transaction)).toEqual([[], [{ count: 5 }], [{ text: 'ü' }]])
    }),
  )
  expect(trips).toBe(2)
})

test('where a statement fails that nobody waits for, the transaction fails with its fault and nothing of it is done', async () => {
  const before = await texts()
  const change = inTransaction(async (transaction) => {
    await locked.execute(transaction)
    await transaction.executeQuery(later(insert('fifth')))
    await transaction.executeQuery(later(insert('first')))
  })
  await expect(change).rejects.toMatchObject({ code: '23505' })
  const first = inTransaction((transaction) => transaction.executeQuery(insert('first')))
  await expect(first).rejects.toMatchObject({ code: '23505' })
  expect(await texts()).toEqual(before)
  // The connection is as good as before.
  await inTransaction((transaction) => transaction.executeQuery(insert('sixth')))
  expect(await texts()).toHaveLength(before.length + 1)
})

test('a fault that was taken for none undoes everything all the same, and says so', async () => {
  const before = await texts()
  const change = inTransaction(async (transaction) => {
    await transaction.executeQuery(insert('seventh'))
    await transaction.executeQuery(insert('seventh')).catch(() => undefined)
  })
  await expect(change).rejects.toThrow('undone')
  expect(await texts()).toEqual(before)
})

test('a transaction that asks nothing, or throws before it does, costs nothing', async () => {
  const trips = await slow.roundTripsOf(async () => {
    expect(await inTransaction(async () => 'nothing')).toBe('nothing')
    await expect(inTransaction(() => Promise.reject(new Error('No.')))).rejects.toThrow('No.')
  })
  expect(trips).toBe(0)
})

test('what is planned once keeps its plan for every value, and is a statement like any other in a transaction', async () => {
  const question = (text: string) =>
    planned(sql<{ length: number }>`select length(${text}::text)::int as length`.compile(db))
  for (const text of ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff', 'ggggggg']) {
    expect((await db.executeQuery(question(text))).rows).toEqual([{ length: text.length }])
    expect(await together(db, [question(text), question(`${text}${text}`)])).toEqual([
      [{ length: text.length }],
      [{ length: 2 * text.length }],
    ])
  }
  await inTransaction(async (transaction) => {
    expect((await transaction.executeQuery(question('within'))).rows).toEqual([{ length: 6 }])
    const { rows } = await sql`show plan_cache_mode`.execute(transaction)
    expect(rows).toEqual([{ plan_cache_mode: 'auto' }])
  })
  const { rows } = await sql`select generic_plans::int as generic, custom_plans::int as custom
    from pg_prepared_statements where statement like '%length($1%'`.execute(db)
  expect(rows).toEqual([{ generic: 21, custom: 0 }])
  await expect(db.executeQuery(planned(sql`select 1 / ${0}::integer`.compile(db)))).rejects.toThrow('division by zero')
  expect((await db.executeQuery(question('after'))).rows).toEqual([{ length: 5 }])
})
