import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimFolder, quitDatabases, removeAbandoned } from './abandonedFolders.ts'
import { serveDatabaseRequests } from './databaseRequests.ts'
import { TestDatabases } from './TestDatabases.ts'

const RUN_PREFIX = 'wayside-test-'

export interface DatabaseRun {
  /** Where tests ask for databases: see `databaseDoor.ts`. */
  readonly door: string
  /** Ends PostgreSQL and removes everything. */
  stop(): Promise<void>
}

/** One embedded PostgreSQL for a whole run of tests, started when the first of them asks for a database. */
export async function startDatabaseRun(): Promise<DatabaseRun> {
  await removeAbandoned(RUN_PREFIX)
  const folder = claimFolder(mkdtempSync(join(tmpdir(), RUN_PREFIX)))
  // An interrupted run ends without being stopped; the next one removes the folder.
  const quit = () => quitDatabases(folder)
  process.once('exit', quit)

  const databases = new TestDatabases(folder)
  const door = join(folder, 'door')
  const server = await serveDatabaseRequests(door, (request) => databases.answer(request))
  return {
    door,
    async stop() {
      process.off('exit', quit)
      server.close()
      await databases.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
