import pg from 'pg'
import { afterAll } from 'vitest'
import { emptyDatabase, type FreshDatabase, freshDatabase } from './freshDatabase.ts'

export interface DatabaseTest {
  readonly database: FreshDatabase
  /** A connection as the owner of its tables. */
  readonly owner: pg.Client
}

/** Gives a test file a database of its own, migrated or without a single table, until its last test has ended. */
export async function databaseTest(kind: 'migrated' | 'empty' = 'migrated'): Promise<DatabaseTest> {
  const database = await (kind === 'migrated' ? freshDatabase() : emptyDatabase())
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  afterAll(async () => {
    await owner.end()
    await database.drop()
  })
  return { database, owner }
}
