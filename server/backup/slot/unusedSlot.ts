import type pg from 'pg'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { Job } from '../../jobs/JobRunner.ts'

/** A wrong start on a Friday evening is found on Monday. */
const HELD_MS = 3 * DAY_MS
/** The embedded database retains as much (`max_slot_wal_keep_size`); another PostgreSQL may have no limit. */
const MOST_HELD_GB = 10
const BYTES_OF_GB = 1024 ** 3

type Db = Pick<pg.ClientBase, 'query'>

interface UnusedSlot {
  readonly name: string
  readonly heldUntil: Date
  readonly heldBytes: number
}

/** The database gives the slot its name (`logStream.ts`). A lost slot can never be used again, so it goes at once. */
const SLOT_SQL = `
  select s.slot_name as name, coalesce(u.unused_since, clock_timestamp()) as unused_since,
         case when s.wal_status = 'lost' then 'Infinity'
              else pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)::float8 end as held_bytes
  from pg_replication_slots s left join unused_backup_slot u on u.slot_name = s.slot_name
  where not s.active and s.slot_name = 'wayside_backup_' || (select oid from pg_database where datname = current_database())`

async function readUnusedSlot(db: Db): Promise<UnusedSlot | undefined> {
  const { rows } = await db.query<{ name: string; unused_since: Date; held_bytes: number }>(SLOT_SQL)
  const [row] = rows
  if (!row) return undefined
  return {
    name: row.name,
    heldUntil: new Date(row.unused_since.getTime() + HELD_MS),
    heldBytes: row.held_bytes,
  }
}

/**
 * The database retains its log for three days when the folder for backups is gone: whoever forgot the setting can set it
 * again and loses no moment. Then the slot goes, because its log would fill the disk.
 */
export const unusedSlotJob = (log: { warn(details: object, message: string): void }): Job => ({
  name: 'unusedBackupSlot',
  everyMs: MINUTE_MS,
  retryMs: SECOND_MS,
  async run(owner, now) {
    const slot = await readUnusedSlot(owner)
    if (!slot) return
    const { rowCount } = await owner.query(
      'insert into unused_backup_slot (slot_name, unused_since) values ($1, $2) on conflict do nothing',
      [slot.name, now],
    )
    if (rowCount === 1) {
      log.warn(
        { heldUntil: slot.heldUntil },
        'WAYSIDE_BACKUP_FOLDER is not set: the database holds its log for backups a while.',
      )
    }
    if (slot.heldUntil > now && slot.heldBytes < MOST_HELD_GB * BYTES_OF_GB) return
    await dropSlot(owner, slot.name)
    log.warn({ ...slot }, 'The log is no longer held for backups: the next ones begin behind a gap.')
  },
})

/** Forgets the days without backups once they are taken again, so that they are counted from the start. */
export const usedSlotJob: Job = {
  name: 'usedBackupSlot',
  everyMs: HOUR_MS,
  async run(owner) {
    await owner.query(FORGET_SQL)
  },
}

const FORGET_SQL = 'delete from unused_backup_slot'

async function dropSlot(owner: Db, name: string): Promise<void> {
  await owner.query('select pg_drop_replication_slot($1)', [name])
  await owner.query(FORGET_SQL)
}

/** Ends backups for good. @returns whether the log was retained for them */
export async function stopHoldingLog(owner: Db): Promise<boolean> {
  const slot = await readUnusedSlot(owner)
  if (slot) await dropSlot(owner, slot.name)
  return slot !== undefined
}

/** Reports the trouble while the setting can still be restored in time. */
export async function unusedSlotTrouble(db: Db): Promise<string | undefined> {
  const slot = await readUnusedSlot(db)
  if (!slot) return undefined
  return (
    `The setting WAYSIDE_BACKUP_FOLDER is missing, and backups were taken before: the database holds its log for them ` +
    `until ${slot.heldUntil.toISOString()}, up to ${MOST_HELD_GB} GB.`
  )
}
