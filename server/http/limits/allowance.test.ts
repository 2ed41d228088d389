import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#server/db/connect/pool.ts'
import { type Db, openDatabase } from '#server/db/database.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { giveAllowanceBack, takeAllowance } from './allowance.store.ts'

let database: FreshDatabase
let pool: pg.Pool
let db: Db
beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool(database.applicationUrl, { maximumConnections: 5, name: 'test' })
  db = openDatabase(pool)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** One use comes back in an hour, so none returns while these tests run. */
const TEN = { atOnce: 10, perHour: 1 }
const later = (seconds: number) =>
  pool.query('update allowance set whole_at = whole_at - make_interval(secs => $1)', [seconds])
const takeMany = async (subject: string, times: number) => {
  const waits: number[] = []
  for (let n = 0; n < times; n += 1) waits.push(await takeAllowance(db, subject, TEN))
  return waits
}

test('an allowance is used up at once or bit by bit, and comes back with time, up to its size', async () => {
  const waits = await takeMany('one', 12)
  expect(waits.slice(0, 10)).toEqual(Array(10).fill(0))
  expect(waits[11]).toBeGreaterThan(1800)
  expect(waits[11]).toBeLessThanOrEqual(3600)
  await later(1800)
  expect((await takeMany('one', 1))[0]).toBeGreaterThan(0)
  await later(1800)
  expect((await takeMany('one', 2)).map((wait) => wait > 0)).toEqual([false, true])
  await later(86_400)
  expect((await takeMany('one', 11)).filter((wait) => wait === 0)).toHaveLength(10)
})

test('of many takes at once as many pass as there are, and no other subject is touched', async () => {
  const waits = await Promise.all(Array.from({ length: 40 }, () => takeAllowance(db, 'many', TEN)))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
  expect(await takeAllowance(db, 'another', TEN)).toBe(0)
})

test('what is given back can be taken again', async () => {
  await takeMany('back', 10)
  await db.transaction().execute((transaction) => giveAllowanceBack(transaction, 'back', TEN))
  expect((await takeMany('back', 2)).map((wait) => wait > 0)).toEqual([false, true])
})
