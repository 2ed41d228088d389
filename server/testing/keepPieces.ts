import { piecesIn } from '#server/backup/copyNames.ts'
import { logPositionOf } from '#server/backup/logPosition.ts'
import { streamLog } from '#server/backup/logStream.ts'
import type { BackupFixture } from './backupFixture.ts'

interface Keeping {
  readonly key: Buffer
  readonly count: number
  /** A statement that stands in each piece at least once. */
  readonly change: string
}

/** Keeps the log of a database in so many pieces, or a few more. */
export async function keepPieces({ owner, ownerUrl, backups }: BackupFixture, { key, count, change }: Keeping) {
  const stopping = new AbortController()
  let onKept = () => {}
  const nextKept = () =>
    new Promise<void>((resolve) => {
      onKept = resolve
    })
  const log = streamLog({
    ...{ ownerUrl, folder: backups, key },
    keepEveryMs: 100,
    stopped: stopping.signal,
    onKept: () => onKept(),
  })
  for (let piece = 0; piece < count; piece += 1) {
    await owner.query(change)
    const { rows } = await owner.query<{ system: string; flushed: string }>(
      'select system_identifier::text as system, pg_current_wal_flush_lsn()::text as flushed from pg_control_system()',
    )
    const [{ system, flushed } = { system: '', flushed: '0/0' }] = rows
    while (((await piecesIn(backups, system)).at(-1)?.to ?? 0n) < logPositionOf(flushed)) await nextKept()
  }
  stopping.abort()
  await log
}
