import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { endOrphan } from '#server/db/embedded/postmaster.ts'
import { isPostgresOf } from '#server/db/embedded/processes.ts'
import { takeStarterLock } from '#server/db/embedded/starterLock.ts'
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
  await removeDeadRuns()
  const folder = mkdtempSync(join(tmpdir(), RUN_PREFIX))
  takeStarterLock(folder)
  // As root the database runs as another user, who must get through.
  chmodSync(folder, 0o755)
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

/** A run that was killed leaves its folder and perhaps running databases. */
async function removeDeadRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(RUN_PREFIX))) {
    const folder = join(tmpdir(), name)
    try {
      takeStarterLock(folder)
      for (const cluster of clustersIn(folder)) await endOrphan(cluster)
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // It belongs to a run that lives, or to another user.
    }
  }
}

const clustersIn = (folder: string) =>
  globSync('**/postmaster.pid', { cwd: folder }).map((file) => join(folder, dirname(file)))

function quitDatabases(folder: string): void {
  for (const cluster of clustersIn(folder)) {
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
    if (isPostgresOf(pid, cluster)) process.kill(pid, 'SIGQUIT')
  }
}
