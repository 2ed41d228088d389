import { chmodSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { endOrphan } from '#server/db/embedded/postmaster.ts'
import { isPostgresOf } from '#server/db/embedded/processes.ts'
import { takeStarterLock } from '#server/db/embedded/starterLock.ts'

/** A database that nobody needs ends at once, and never takes longer than this. */
const QUIT_WITHIN_MS = 5_000
const LOOK_EVERY_MS = 20

/** When root runs the tests, the database has another user, who must be able to enter. */
export function claimFolder(folder: string): string {
  takeStarterLock(folder)
  chmodSync(folder, 0o755)
  return folder
}

/** Removes what killed runs left: folders with a prefix, and databases that may still run. */
export async function removeAbandoned(prefix: string): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name)
    try {
      takeStarterLock(folder)
      for (const cluster of clustersIn(folder)) await endOrphan(cluster)
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // The folder belongs to a living run, or to another user.
    }
  }
}

const clustersIn = (folder: string) =>
  globSync('**/postmaster.pid', { cwd: folder }).map((file) => join(folder, dirname(file)))

/** Ends the databases below a folder while this process exits, when nothing can be awaited any more. */
export function quitDatabases(folder: string): void {
  for (const cluster of clustersIn(folder)) {
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
    if (!isPostgresOf(pid, cluster)) continue
    process.kill(pid, 'SIGQUIT')
    for (let waitedMs = 0; waitedMs < QUIT_WITHIN_MS && isPostgresOf(pid, cluster); waitedMs += LOOK_EVERY_MS) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS)
    }
  }
}
