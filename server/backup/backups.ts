import { resolve } from 'node:path'
import type pg from 'pg'
import type { AnyJob } from '../jobs/JobRunner.ts'
import type { Config } from '../settings/config.ts'
import { backupJobs } from './backupJobs.ts'
import { backupKeyOf } from './backupKey.ts'
import { type BackupGauges, BackupWatch, readBackupState } from './backupState.ts'
import { unusedSlotJob, unusedSlotTrouble, usedSlotJob } from './slot/unusedSlot.ts'

export interface BackupsDeps {
  readonly config: Config
  readonly ownerUrl: string
  /** Takes ordinary connections: the folder is compared with the database. */
  readonly pool: pg.Pool
  readonly log: Record<'info' | 'warn', (details: object, message: string) => void>
  readonly now: () => Date
}

export interface Backups {
  readonly jobs: readonly AnyJob[]
  /** Each returns a sentence when backups are behind, cannot be written, have a gap, or were turned off. */
  readonly checks: readonly (() => Promise<string | undefined>)[]
  /** Undefined where no automatic backups are taken. */
  readonly gauges: () => Promise<BackupGauges | undefined>
}

/** Creates the automatic backups, where a folder for them is set. */
export function createBackups({ config, ownerUrl, pool, log, now }: BackupsDeps): Backups {
  if (config.backupFolder === undefined) {
    return {
      jobs: [unusedSlotJob(log)],
      checks: [() => unusedSlotTrouble(pool)],
      gauges: async () => undefined,
    }
  }
  const folder = resolve(config.backupFolder)
  const readState = () => readBackupState(folder, pool, backupKeyOf(config))
  const watch = new BackupWatch({
    everyHours: config.backupEveryHours,
    keepDays: config.backupKeepDays,
    readState,
    now,
  })
  const jobs = backupJobs({
    ...{ ownerUrl, folder, readState, log },
    isEmbedded: config.databaseUrl === undefined,
    dataFolder: resolve(config.dataFolder),
    key: backupKeyOf(config),
    everyHours: config.backupEveryHours,
    keepDays: config.backupKeepDays,
  })
  return { jobs: [usedSlotJob, ...jobs], checks: [watch.trouble, watch.gapTrouble], gauges: () => watch.gauges() }
}
