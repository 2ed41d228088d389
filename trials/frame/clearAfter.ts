import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { quitDatabases } from '#server/testing/database/abandonedFolders.ts'

// Waits beside a trial for its end, however that comes, and removes what is left: `node clearAfter.ts FOLDER`, with a
// pipe to the trial as its input. A program that a killed trial was just starting may still write for a moment.

const LOOKS = 20
const LOOK_EVERY_MS = 150

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Which folder?')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.stdin.resume()
process.stdin.once('close', async () => {
  for (let look = 0; look < LOOKS; look++) {
    if (existsSync(folder)) {
      try {
        quitDatabases(folder)
        rmSync(folder, { recursive: true, force: true })
      } catch {
        // Somebody wrote there meanwhile.
      }
    }
    await sleep(LOOK_EVERY_MS)
  }
  process.exit(0)
})
