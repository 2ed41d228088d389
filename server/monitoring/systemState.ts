import type { SystemFigures } from '#contract/http/operation/system.ts'
import type { BackupGauges } from '#server/backup/backupState.ts'
import { type FiguresPool, readSystemFigures } from './systemFigures.store.ts'

interface SystemStateDeps {
  readonly pool: FiguresPool
  readonly now: () => Date
  readonly backups: () => Promise<BackupGauges | undefined>
}

const UNREADABLE = { copies: undefined, copyAgeSeconds: undefined, logAgeSeconds: undefined }

export async function readSystemState({ pool, now, backups }: SystemStateDeps): Promise<SystemFigures> {
  const [figures, taken] = await Promise.all([
    readSystemFigures(pool, now()),
    // An unreadable folder is reported among the troubles instead.
    backups().catch(() => UNREADABLE),
  ])
  return {
    databaseBytes: figures.databaseBytes,
    partitionsAheadDays: figures.partitionsAheadDays,
    mailsWaiting: figures.mailsWaiting,
    mailsWaitSeconds: figures.mailsWaitingSeconds,
    commandsWaiting: figures.commandsWaiting,
    rollupHoursWaiting: figures.rollupMarks,
    rollupsWholeAt: figures.rollupRefreshedAt?.toISOString() ?? null,
    backups: taken
      ? {
          copies: taken.copies ?? null,
          newestCopySeconds: taken.copyAgeSeconds ?? null,
          restorableSeconds: taken.logAgeSeconds ?? null,
        }
      : null,
  }
}
