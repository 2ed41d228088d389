import { startDatabaseRun } from '#server/testing/database/databaseRun.ts'
import { DOOR } from './databases.ts'

/** Runs one embedded PostgreSQL for all systems; each has a database of its own in it. */
export default async function setUp(): Promise<() => Promise<void>> {
  const { door, stop } = await startDatabaseRun()
  process.env[DOOR] = door
  return stop
}
