import pg from 'pg'
import { distribute } from '#server/db/distribute/distribute.ts'
import { DISTRIBUTED_TABLES } from '#server/db/partitions/readingTables.ts'
import { migrate } from '#server/db/upgrade/migrate.ts'
import type { CitusCluster, CitusDatabase } from './citusCluster.ts'

interface DistributedOptions {
  readonly name?: string
  readonly retentionDays?: number
  /** Days before these count as closed, and have no tables for their readings. */
  readonly openDays?: number
  readonly shards: number
}

/** Makes a migrated database whose readings are on the workers of a cluster. */
export async function makeDistributedDatabase(
  cluster: CitusCluster,
  { shards, retentionDays, openDays, ...named }: DistributedOptions,
): Promise<CitusDatabase> {
  const database = await cluster.makeDatabase(named)
  await migrate(database.ownerUrl, retentionDays === undefined ? {} : { retentionDays })
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  if (openDays !== undefined) {
    const first = `current_date - ${openDays}`
    await owner.query(`update closing_state set closed_before = ${first}, closing_before = ${first}`)
    await migrate(database.ownerUrl)
  }
  await distribute(owner, { tables: DISTRIBUTED_TABLES, shards, say: () => undefined })
  await owner.end()
  return database
}
