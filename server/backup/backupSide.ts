import { resolve } from 'node:path'
import type pg from 'pg'
import type { Config } from '../config.ts'
import type { AnyJob } from '../jobs/leader.ts'
import { backupJobs, unusedSlotJob } from './backupJobs.ts'
import { backupKeyOf } from './backupKey.ts'
import { type BackupGauges, BackupWatch, readBackupState } from './backupState.ts'

export interface BackupSideNeeds {
  readonly config: Config
  readonly ownerUrl: string
  /** Of ordinary connections: what lies in the folder is compared with the database. */
  readonly pool: pg.Pool
  readonly log: { info(details: object, message: string): void }
  readonly now: () => Date
}

export interface BackupSide {
  readonly jobs: readonly AnyJob[]
  /** One sentence when backups are behind, or cannot be written. */
  readonly trouble: () => Promise<string | undefined>
  /** Undefined where no backups are taken by themselves. */
  readonly gauges: () => Promise<BackupGauges | undefined>
}

/** Backups by themselves, where a folder for them is set. */
export function createBackupSide({ config, ownerUrl, pool, log, now }: BackupSideNeeds): BackupSide {
  if (config.backupFolder === undefined) {
    return { jobs: [unusedSlotJob], trouble: async () => undefined, gauges: async () => undefined }
  }
  const folder = resolve(config.backupFolder)
  const readState = () => readBackupState(folder, pool, backupKeyOf(config))
  const watch = new BackupWatch({ everyHours: config.backupEveryHours, readState, now })
  const jobs = backupJobs({
    ...{ ownerUrl, folder, readState, log },
    isEmbedded: config.databaseUrl === undefined,
    dataFolder: resolve(config.dataFolder),
    key: backupKeyOf(config),
    everyHours: config.backupEveryHours,
    keepDays: config.backupKeepDays,
  })
  return { jobs, trouble: watch.trouble, gauges: () => watch.gauges() }
}
