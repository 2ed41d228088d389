import type pg from 'pg'
import { isFreeLockOfEach, tryLockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { DevicesNow } from './deviceNow.ts'
import { mergeMarks } from './mergeState.ts'
import type { MarkRow } from './unmerged.ts'

const EVERY_MS = 3_000
const MARKS_AT_ONCE = 2_000

/**
 * Merges what lost connections left behind, of a killed process or one that lost its database for a moment. Reads of
 * one device include unmerged ranges; lists of many devices wait for this.
 */
export const orphanedStateJob: Job = {
  name: 'state of lost connections',
  everyMs: EVERY_MS,
  async run(owner, _now, stopped) {
    const { rows } = await owner.query<{ id: number }>(LEFT_SQL)
    for (const { id } of rows) {
      while (!stopped.aborted && (await mergeSome(owner, id)));
    }
  },
}

/** Locks are tested without taking them, so that living sessions are never disturbed. */
const LEFT_SQL = `select id from state_session where ${isFreeLockOfEach('stateMarksOfSession', 'id::oid')} order by id`

/** @returns whether there may be more */
function mergeSome(owner: pg.ClientBase, session: number): Promise<boolean> {
  return transactionOn(owner, async () => {
    const { rows: locks } = await owner.query<{ is_free: boolean }>(
      `select ${tryLockEachUntilCommit('stateMarksOfSession', '$1::int')} as is_free`,
      [session],
    )
    if (!locks[0]?.is_free) return false
    const { rows: marks } = await owner.query<MarkRow>(
      `delete from state_mark where ctid = any (array(select ctid from state_mark where session = $1 limit $2))
       returning device_id, event_type_id, number, from_at, fields`,
      [session, MARKS_AT_ONCE],
    )
    const listed = new DevicesNow()
    listed.noteFolds(await mergeMarks(owner, marks))
    await listed.writeAll(owner)
    if (marks.length === MARKS_AT_ONCE) return true
    await owner.query('delete from state_session where id = $1', [session])
    return false
  })
}
