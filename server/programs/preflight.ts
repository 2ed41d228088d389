import { statfs } from 'node:fs/promises'
import pg from 'pg'
import { readBackupState } from '../backup/backupState.ts'
import { openPool } from '../db/connect/pool.ts'
import { isDistributed, readCitusState } from '../db/distribute/citusState.ts'
import { placeOfTables } from '../db/distribute/distributionReport.ts'
import { DISTRIBUTED_TABLES } from '../db/partitions/readingTables.ts'
import { readMigrations } from '../db/upgrade/migrationFiles.ts'
import { readUpgradePlan } from '../db/upgrade/upgradePlan.ts'
import type { Config } from '../settings/config.ts'
import { openServersDatabase } from './openDatabase.ts'
import { type PreflightFacts, preflightReport } from './preflightReport.ts'

/**
 * Says what starting this program would do to the database, how long it takes, and whether the program before can be
 * put back.
 *
 * @returns true when nothing prevents it
 */
export async function sayPreflight(config: Config, say: (text: string) => void): Promise<boolean> {
  const { ownerUrl, close } = await openServersDatabase(config)
  try {
    const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'wayside preflight' })
    await owner.connect()
    try {
      const found = await readUpgradePlan(owner, await readMigrations())
      const { lines, isClear } = preflightReport({
        ...found,
        freeBytes: config.databaseUrl === undefined ? await freeBytesOf(config.dataFolder) : undefined,
        backup: await readBackup(config, ownerUrl),
        place: await placeOf(owner),
        now: new Date(),
      })
      say(lines.join('\n'))
      return isClear
    } finally {
      await owner.end()
    }
  } finally {
    await close()
  }
}

async function placeOf(owner: pg.Client): Promise<string | undefined> {
  const [first = ''] = DISTRIBUTED_TABLES
  if (!(await isDistributed(owner, first))) return undefined
  return placeOfTables(await readCitusState(owner, DISTRIBUTED_TABLES))
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function readBackup({ backupFolder }: Config, ownerUrl: string): Promise<PreflightFacts['backup']> {
  if (backupFolder === undefined) return 'not set'
  const pool = openPool(ownerUrl, { maximumConnections: 1, name: 'preflight' })
  try {
    return { reachesTo: (await readBackupState(backupFolder, pool, undefined)).reachesTo }
  } catch (error) {
    return { trouble: (error as Error).message }
  } finally {
    await pool.end()
  }
}
