import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../testing/database/freshDatabase.ts'
import { allDifferent, lockEachUntilCommit, lockUntilCommit, lockUntilDisconnected } from './advisoryLocks.ts'
import { openPool } from './connect/pool.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let pool: pg.Pool
beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool(database.applicationUrl, { maximumConnections: 12, name: 'test' })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('two locks of one number are refused by the compiler', () => {
  // @ts-expect-error: both names are told.
  expect(allDifferent({ one: 1, two: 2, again: 1 })).toEqual({ one: 1, two: 2, again: 1 })
  expect(allDifferent({ one: 1, two: 2 })).toEqual({ one: 1, two: 2 })
})

test('all locks, for the same id where they have one, are held at the same time', async () => {
  const locks = [
    lockUntilDisconnected('migration'),
    lockUntilDisconnected('lead'),
    ...(['rollups', 'darkDays', 'people', 'releases', 'mails'] as const).map(lockUntilCommit),
    ...(['presenceOfDevice', 'powerCommandsOfUser', 'holidaysOfCountry'] as const).map((name) =>
      lockEachUntilCommit(name, 1),
    ),
    // The triggers take the lock through this function.
    'lock_alert_counts(array[1], true)',
  ]
  const holders = await Promise.all(locks.map(() => pool.connect()))
  for (const [index, lock] of locks.entries()) {
    await holders[index]?.query(`begin; set local lock_timeout = '2s'`)
    await expect(holders[index]?.query(`select ${lock}`), lock).resolves.toBeTruthy()
  }
  for (const holder of holders) holder.release(true)
})
