import pg from 'pg'
import { afterAll } from 'vitest'
import { emptyDatabase, type FreshDatabase, freshDatabase } from './freshDatabase.ts'

export interface DatabaseTest {
  readonly database: FreshDatabase
  /** A connection as the owner of its tables. */
  readonly owner: pg.Client
}

/**
 * What test files of the database begin with that need nothing of the product, at their top: a database of their own,
 * migrated or without a single table, until the last test of the file has ended.
 */
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
