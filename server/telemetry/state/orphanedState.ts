import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { isFreeLockOfEach, tryLockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import { keptElsewhere } from '#server/db/distribute/awayWorkers.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { DevicesNow } from './deviceNow.ts'
import { mergeMarks } from './mergeState.ts'
import type { MarkRow } from './unmerged.ts'

const EVERY_MS = 3_000
const MARKS_AT_ONCE = 2_000

/**
 * Merges what lost connections left behind, of a killed process or one that lost its database for a moment. Reads of
 * one device include unmerged ranges; lists of many devices wait for this. Devices whose worker of the database is away
 * keep their ranges, and hold nobody else up.
 */
export const orphanedStateJob: Job = {
  name: 'state of lost connections',
  everyMs: EVERY_MS,
  async run(owner, _now, stopped) {
    const { rows } = await owner.query<{ id: number }>(LEFT_SQL)
    const waiting: DeviceId[] = []
    for (const { id } of rows) {
      while (!stopped.aborted && (await mergeSome(owner, id, waiting)));
    }
  },
}

/** Locks are tested without taking them, so that living sessions are never disturbed. */
const LEFT_SQL = `select id from state_session where ${isFreeLockOfEach('stateMarksOfSession', 'id::oid')} order by id`

/**
 * @param waiting devices that are left out; those whose worker turns out to be away are added
 * @returns whether there may be more
 */
async function mergeSome(owner: pg.ClientBase, session: number, waiting: DeviceId[]): Promise<boolean> {
  try {
    return await mergeAllBut(owner, session, waiting)
  } catch (error) {
    const away = await awayDevicesOf(owner, error, session, waiting).catch(() => [])
    if (away.length === 0) throw error
    waiting.push(...away)
    return true
  }
}

/** @returns devices of this session that must wait for the worker that this error names */
async function awayDevicesOf(
  owner: pg.ClientBase,
  error: unknown,
  session: number,
  waiting: readonly DeviceId[],
): Promise<DeviceId[]> {
  const { rows } = await owner.query<{ id: DeviceId }>(
    'select distinct device_id as id from state_mark where session = $1 and device_id <> all ($2::int[])',
    [session, waiting],
  )
  const ids = rows.map(({ id }) => id)
  const elsewhere = await keptElsewhere(owner, error, ids)
  return elsewhere === undefined ? [] : ids.filter((id) => !elsewhere.includes(id))
}

/** @returns whether there may be more */
function mergeAllBut(owner: pg.ClientBase, session: number, waiting: readonly DeviceId[]): Promise<boolean> {
  return transactionOn(owner, async () => {
    const { rows: locks } = await owner.query<{ is_free: boolean }>(
      `select ${tryLockEachUntilCommit('stateMarksOfSession', '$1::int')} as is_free`,
      [session],
    )
    if (!locks[0]?.is_free) return false
    const { rows: marks } = await owner.query<MarkRow>(
      `delete from state_mark where ctid = any (array(
         select ctid from state_mark where session = $1 and device_id <> all ($3::int[]) limit $2))
       returning device_id, event_type_id, number, from_at, fields`,
      [session, MARKS_AT_ONCE, waiting],
    )
    const listed = new DevicesNow()
    listed.noteFolds(await mergeMarks(owner, marks))
    await listed.writeAll(owner)
    if (marks.length === MARKS_AT_ONCE) return true
    await owner.query(
      'delete from state_session where id = $1 and not exists (select from state_mark where session = $1)',
      [session],
    )
    return false
  })
}
