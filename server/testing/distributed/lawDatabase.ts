import pg from 'pg'
import { DISTRIBUTED_TABLES } from '#server/db/partitions/readingTables.ts'
import { offencesOf } from './distributionLaw.ts'
import { treeReader } from './statementTree.ts'

const PLAIN_WORD = /\b(?:reading_|readings_of_|late_reading|closed_day|rollup|device_message|rejected_report)/

/** Tells soon that a statement has nothing to do with such tables; few do. */
export const mayConcernWorkers = (statement: string): boolean => PLAIN_WORD.test(statement)

export interface LawDatabase {
  /** @returns what keeps it from running where rows lie on workers; undefined if it has no tree */
  judge(statement: string): Promise<readonly string[] | undefined>
  end(): Promise<void>
}

/** Opens a migrated database to have statements read there. None is run. */
export async function openLawDatabase(ownerUrl: string): Promise<LawDatabase> {
  const db = new pg.Client({ connectionString: ownerUrl })
  await db.connect()
  const { rows: tables } = await db.query<{ oid: string; deviceColumn: number }>(
    `select c.oid::text, a.attnum::integer as "deviceColumn" from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'device_id' where c.oid = any($1::text[]::regclass[])`,
    [DISTRIBUTED_TABLES],
  )
  const { rows: functions } = await db.query<{ oid: string }>(`select oid::text from pg_proc where provolatile = 'v'`)
  const catalogue = {
    distributed: new Map(tables.map(({ oid, deviceColumn }) => [oid, deviceColumn])),
    volatileFunctions: new Set(functions.map(({ oid }) => oid)),
  }
  const reader = await treeReader(db)
  return {
    async judge(statement) {
      const tree = await reader.read(statement)
      return tree && offencesOf(tree, catalogue)
    },
    end: () => db.end(),
  }
}
