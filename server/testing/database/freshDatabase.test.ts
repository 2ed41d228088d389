import { Client } from 'pg'
import { expect, test } from 'vitest'
import { emptyDatabase, freshDatabase } from './freshDatabase.ts'

async function rowsOf(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const countTables = `select count(*)::int as count from pg_tables where schemaname = 'public'`

test('a fresh database is migrated, and an empty one has no table', async () => {
  const [fresh, empty] = await Promise.all([freshDatabase(), emptyDatabase()])
  const [freshTables] = (await rowsOf(fresh.ownerUrl, countTables)) as { count: number }[]
  expect(freshTables?.count).toBeGreaterThan(10)
  expect(await rowsOf(empty.ownerUrl, countTables)).toEqual([{ count: 0 }])
  await Promise.all([fresh.drop(), empty.drop()])
})

test('two fresh databases do not see each other', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  await rowsOf(one.ownerUrl, 'create table only_here ()')
  expect(await rowsOf(other.ownerUrl, `select to_regclass('only_here') as found`)).toEqual([{ found: null }])
  await Promise.all([one.drop(), other.drop()])
})

test('the application signs in as a role that is neither superuser nor owner', async () => {
  const database = await freshDatabase()
  const sql = 'select current_user, rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user'
  expect(await rowsOf(database.applicationUrl, sql)).toEqual([
    { current_user: 'wayside_app', rolsuper: false, rolcreatedb: false, rolcreaterole: false },
  ])
  await database.drop()
})

test('a dropped database takes its open connections with it', async () => {
  const database = await freshDatabase()
  const client = new Client({ connectionString: database.ownerUrl })
  const ended = new Promise<void>((resolve) => client.on('error', () => resolve()))
  await client.connect()
  await database.drop()
  await ended
  await expect(rowsOf(database.ownerUrl, 'select 1')).rejects.toMatchObject({ code: '3D000' })
})
