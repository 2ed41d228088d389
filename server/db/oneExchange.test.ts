import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { openDatabase } from './database.ts'
import { commitInOneExchange } from './oneExchange.ts'
import { openPool } from './pool.ts'

const { database, owner } = await databaseTest('empty')
await owner.query('create table written (text text primary key, bytes bytea, number integer)')
const pool = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test' })
const db = openDatabase(pool)
afterAll(() => pool.end())

const writing = (text: string | null, bytes: Buffer | null = null, number: number | null = null) =>
  sql`insert into written values (${text}, ${bytes}, ${number})`.compile(db)
const isThere = async () => true
const written = async () => (await owner.query('select * from written order by text')).rows

test('statements of one exchange are all done, with their values', async () => {
  const bytes = Buffer.from([0, 1, 255])
  await commitInOneExchange(pool, { statements: [writing('ü', bytes, -7), writing('nothing')], isThere })
  expect(await written()).toEqual([
    { text: 'nothing', bytes: null, number: null },
    { text: 'ü', bytes, number: -7 },
  ])
})

test('where one of them fails none is done, the fault is told, and the connection is as good as before', async () => {
  const before = await written()
  const statements = [writing('first'), writing('ü'), writing('last')]
  await expect(commitInOneExchange(pool, { statements, isThere })).rejects.toMatchObject({ code: '23505' })
  expect(await written()).toEqual(before)
  await commitInOneExchange(pool, { statements: [writing('after')], isThere })
  expect(await written()).toHaveLength(before.length + 1)
})

test('a fault that only the commit finds undoes all of them', async () => {
  await owner.query('create table refers (text text references written deferrable initially deferred)')
  const statements = [writing('beside'), sql`insert into refers values ('nobody')`.compile(db)]
  await expect(commitInOneExchange(pool, { statements, isThere })).rejects.toMatchObject({ code: '23503' })
  expect((await written()).map(({ text }) => text)).not.toContain('beside')
})
