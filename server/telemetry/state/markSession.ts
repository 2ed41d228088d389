import type pg from 'pg'
import { lockEachUntilDisconnected } from '#server/db/advisoryLocks.ts'
import { newId } from '#server/db/statements.ts'

const sessions = new WeakMap<pg.ClientBase, number>()

/**
 * The number under which a connection writes marks: as long as it lives, nobody else takes them away, because it holds
 * the lock of that number (docs/decisions/0161).
 */
export async function markSessionOf(connection: pg.ClientBase): Promise<number> {
  const known = sessions.get(connection)
  if (known !== undefined) return known
  const { rows } = await connection.query<{ id: number }>(
    `with made as (insert into state_session default values returning id)
     select id, ${lockEachUntilDisconnected('stateMarksOfSession', 'id')} from made`,
  )
  const id = newId(rows)
  sessions.set(connection, id)
  return id
}
