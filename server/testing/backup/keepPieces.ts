import { piecesIn } from '#server/backup/log/copyNames.ts'
import { logPositionOf } from '#server/backup/log/logPosition.ts'
import { streamLog } from '#server/backup/log/logStream.ts'
import type { BackupFixture } from './backupFixture.ts'

interface Keeping {
  readonly key: Buffer
  readonly count: number
  /** The statement runs at least once within each piece. */
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
    const { rows } = await owner.query<{ system: string; timeline: number; flushed: string }>(
      `select system_identifier::text as system, timeline_id as timeline, pg_current_wal_flush_lsn()::text as flushed
       from pg_control_system(), pg_control_checkpoint()`,
    )
    const [{ system, timeline, flushed } = { system: '', timeline: 1, flushed: '0/0' }] = rows
    const reached = async () => (await piecesIn(backups, system)).findLast((kept) => kept.timeline === timeline)?.to
    while (((await reached()) ?? 0n) < logPositionOf(flushed)) await Promise.race([nextKept(), log])
  }
  stopping.abort()
  await log
}
