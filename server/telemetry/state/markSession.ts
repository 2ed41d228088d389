import type pg from 'pg'
import { lockEachUntilDisconnected } from '#server/db/advisoryLocks.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'

const sessions = new WeakMap<pg.ClientBase, number>()

/**
 * Returns the session number under which a connection writes dirty ranges. The connection holds the lock of that
 * number, so no other process removes its ranges while it lives (docs/decisions/0161).
 */
export async function markSessionOf(connection: pg.ClientBase): Promise<number> {
  const known = sessions.get(connection)
  if (known !== undefined) return known
  const made = await connection.query<{ id: number }>(
    `with made as (insert into state_session default values returning id)
     select id, ${lockEachUntilDisconnected('stateMarksOfSession', 'id')} from made`,
  )
  const id = onlyRow(made).id
  sessions.set(connection, id)
  return id
}
