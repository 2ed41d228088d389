import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#server/db/connect/pool.ts'
import { type Db, openDatabase } from '#server/db/database.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { admitAttempt } from './attempts.store.ts'

let database: FreshDatabase
let pool: ReturnType<typeof openPool>
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

test('200 people of one office mistype twice at nine o’clock, and all of them are heard a third time', async () => {
  const people = Array.from({ length: 200 }, (_, n) => ({ username: `person${n}`, address: '203.0.113.40' }))
  for (const attempt of [...people, ...people]) await admitAttempt(db, attempt)
  for (const attempt of people) {
    const { forgive } = await admitAttempt(db, attempt)
    await db.transaction().execute(forgive)
  }
})

test('of one name less than a hundred guesses are heard at once, wherever they come from', async () => {
  let heard = 0
  const guess = async (address: string, browser?: string) => {
    const attempt = { username: 'famous', address, browser }
    await admitAttempt(db, attempt).then(
      () => heard++,
      () => undefined,
    )
  }
  for (let n = 0; n < 250; n += 1) await guess(`${n + 1}.${n}.0.1`)
  for (let n = 0; n < 50; n += 1) await guess('203.0.113.50', `browser ${n}`)
  // The allowance comes back once more within the hour.
  expect(heard).toBeGreaterThan(30)
  expect(heard).toBeLessThan(50)
})

test('what is refused by one limit is not counted by another', async () => {
  const attempt = { username: 'somebody', address: '203.0.113.41' }
  for (let n = 0; n < 5; n += 1) await admitAttempt(db, attempt)
  const count = async () => (await pool.query(`select * from allowance order by subject`)).rows
  await admitAttempt(db, attempt).catch(() => undefined)
  const before = await count()
  for (let n = 0; n < 20; n += 1) await expect(admitAttempt(db, attempt)).rejects.toThrow()
  expect(await count()).toEqual(before)
})
