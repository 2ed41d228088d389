import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { compiledOnce } from './compiledOnce.ts'
import { openDatabase } from './database.ts'
import { openPool } from './pool.ts'

const { database } = await databaseTest('empty')
const pool = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test' })
const db = openDatabase(pool)
afterAll(() => pool.end())

test('each time its own values stand where they belong, in a text that was written and planned once', async () => {
  let writings = 0
  const question = compiledOnce<{ found: string }, { numbers: readonly number[]; word: string }>(
    ['numbers', 'word'],
    ({ numbers, word }) => {
      writings++
      return sql<{ found: string }>`
        select ${word}::text || n || ${'!'}::text || ${word}::text as found
        from unnest(${numbers}::integer[]) n where n <> ${2}`.compile(db)
    },
  )
  const found = async (numbers: readonly number[], word: string) =>
    (await db.executeQuery(question({ numbers, word }))).rows.map((row) => row.found)
  for (let time = 0; time < 7; time++) {
    expect(await found([1, 2, 3], 'a')).toEqual(['a1!a', 'a3!a'])
    expect(await found([], 'b')).toEqual([])
    expect(await found([4], `c${time}`)).toEqual([`c${time}4!c${time}`])
  }
  expect(writings).toBe(1)
  const { rows } = await sql`select generic_plans::int as generic, custom_plans::int as custom
    from pg_prepared_statements where statement like '%unnest($%'`.execute(db)
  expect(rows).toEqual([{ generic: 21, custom: 0 }])
})
