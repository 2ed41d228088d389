import type { Db } from './db/database.ts'

/** Whether everything is as it should be, in words where it is not. */
export async function readiness(
  db: Db,
  missing: (db: Db) => Promise<string | undefined>,
  troubles: readonly (() => string | undefined)[],
) {
  try {
    const reason = (await missing(db)) ?? troubles.map((trouble) => trouble()).find((words) => words !== undefined)
    return reason === undefined ? { ready: true } : { ready: false, reason }
  } catch {
    return { ready: false, reason: 'The database does not answer.' }
  }
}
