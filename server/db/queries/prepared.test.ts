import { expect, test } from 'vitest'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { openPool } from '../connect/pool.ts'
import { prepared } from './prepared.ts'

const { database } = await databaseTest('empty')

test('a statement with a name is parsed once, is soon planned no more, and has its own values each time', async () => {
  const pool = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test' })
  for (let time = 0; time < 9; time++) {
    const question = prepared('select 2 * $1::integer as twice, $2::text as text', [time, 'x'])
    expect((await pool.query(question)).rows).toEqual([{ twice: 2 * time, text: 'x' }])
  }
  const { rows } = await pool.query(`
    select (generic_plans + custom_plans)::int as times, generic_plans > 0 as "isPlannedOnce" from pg_prepared_statements`)
  expect(rows).toEqual([{ times: 9, isPlannedOnce: true }])
  await pool.end()
})
