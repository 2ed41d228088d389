import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimFolder, quitDatabases, removeAbandoned } from './abandonedFolders.ts'
import { serveDatabaseRequests } from './databaseRequests.ts'
import { TestDatabases } from './TestDatabases.ts'

const RUN_PREFIX = 'wayside-test-'

export interface DatabaseRun {
  /** Tests request databases here: see `databaseDoor.ts`. */
  readonly door: string
  stop(): Promise<void>
}

/** Runs one embedded PostgreSQL for a whole run of tests, started with the first request. */
export async function startDatabaseRun(): Promise<DatabaseRun> {
  await removeAbandoned(RUN_PREFIX)
  const folder = claimFolder(mkdtempSync(join(tmpdir(), RUN_PREFIX)))
  // An interrupted run is not stopped; the next one removes the folder.
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
