import { createHash } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addApiToken, addUser } from '#server/testing/callers.ts'
import { apiTokenFinder } from './apiTokenFinder.store.ts'

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}

const USERS = 1_000
const api = await apiTest()

const rowsOf = (node: PlanNode): number =>
  node['Actual Rows'] * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0)

test('a plan that was made of one user finds a token among a thousand without a look at each with each', async () => {
  const userId = await addUser(api.pool, { username: 'program@staff.example', functions: [1] })
  const { token } = await addApiToken(api.pool, userId)
  let asked: pg.QueryConfig | undefined
  const listening = {
    query: async (question: pg.QueryConfig) => {
      asked = question
      return { rows: [] }
    },
  }
  await apiTokenFinder(openDatabase(api.pool), listening as never)(createHash('sha256').update(token).digest())
  const { text = '', values = [] } = asked ?? {}
  const literals = values.map((value) => (Buffer.isBuffer(value) ? `'\\x${value.toString('hex')}'` : String(value)))
  const connection = new pg.Client({ connectionString: api.applicationUrl })
  await connection.connect()
  await connection.query('set plan_cache_mode = force_generic_plan')
  await connection.query(`prepare found as ${text}`)
  const rows = async () => {
    const { rows } = await connection.query(`explain (analyze, format json) execute found(${literals.join(', ')})`)
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }]
    expect(plan['Actual Rows']).toBe(1)
    return rowsOf(plan)
  }
  expect(await rows()).toBeLessThan(50)
  await api.pool.query(
    `insert into app_user (username, email, first_name, last_name, role_id)
     select n || '@staff.example', n || '@staff.example', 'One', 'of many', (select role_id from app_user where id = $1)
     from generate_series(1, ${USERS}) n`,
    [userId],
  )
  expect(await rows()).toBeLessThan(20 * USERS)
  await connection.end()
})
