import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { type Db, openDatabase } from '../database.ts'
import { openPool } from './pool.ts'

const { database, owner } = await databaseTest('empty')
await owner.query(`
  create table written (text text primary key);
  create table refers (text text references written deferrable initially deferred)`)
const pool = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test' })
const db = openDatabase(pool)
afterAll(() => pool.end())

const insert = (text: string, executor: Db) => sql`insert into written values (${text})`.execute(executor)
const inTransaction = <Result>(work: (transaction: Db) => Promise<Result>) => db.transaction().execute(work)
async function texts() {
  const { rows } = await owner.query<{ text: string }>('select text from written order by text')
  return rows.map(({ text }) => text)
}

test('where a statement fails, nothing of its transaction is done, and the connection is as good as before', async () => {
  await inTransaction((transaction) => insert('first', transaction))
  const change = inTransaction(async (transaction) => {
    await insert('second', transaction)
    await insert('first', transaction)
  })
  await expect(change).rejects.toMatchObject({ code: '23505' })
  expect(await texts()).toEqual(['first'])
  await inTransaction((transaction) => insert('third', transaction))
  expect(await texts()).toEqual(['first', 'third'])
})

test('a fault that was taken for none undoes everything all the same, and says so', async () => {
  const before = await texts()
  const change = inTransaction(async (transaction) => {
    await insert('seventh', transaction)
    await insert('seventh', transaction).catch(() => undefined)
  })
  await expect(change).rejects.toThrow('aborted')
  expect(await texts()).toEqual(before)
})

test('a fault that only the commit finds undoes everything', async () => {
  const before = await texts()
  const change = inTransaction(async (transaction) => {
    await insert('beside', transaction)
    await sql`insert into refers values ('nobody')`.execute(transaction)
  })
  await expect(change).rejects.toMatchObject({ code: '23503' })
  expect(await texts()).toEqual(before)
})

test('a transaction that asks nothing, or throws before it does, leaves the connection as good as before', async () => {
  expect(await inTransaction(async () => 'nothing')).toBe('nothing')
  await expect(inTransaction(() => Promise.reject(new Error('No.')))).rejects.toThrow('No.')
  const { rows } = await sql`select count(*)::int as ended from written where text = 'seventh'`.execute(db)
  expect(rows).toEqual([{ ended: 0 }])
})
