import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { claimFolder, quitDatabases, removeAbandoned } from './abandonedFolders.ts'
import { openDoor } from './databaseDoor.ts'
import { TestDatabases } from './TestDatabases.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseDoor: string
  }
}

const RUN_PREFIX = 'wayside-test-'

/** One embedded PostgreSQL for a whole run, started when the first test file asks for a database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned(RUN_PREFIX)
  const folder = claimFolder(mkdtempSync(join(tmpdir(), RUN_PREFIX)))
  // An interrupted run ends without the teardown below; the next one removes the folder.
  const quit = () => quitDatabases(folder)
  process.once('exit', quit)

  const databases = new TestDatabases(folder)
  const doorPath = join(folder, 'door')
  const door = await openDoor(doorPath, (request) => databases.answer(request))
  project.provide('databaseDoor', doorPath)

  return async () => {
    process.off('exit', quit)
    door.close()
    await databases.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
