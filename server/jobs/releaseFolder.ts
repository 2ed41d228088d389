import type { Job } from './leader.ts'

const EVERY_MS = 5_000

/** Releases that somebody has put into the folder. */
export const releaseFolderJob = (scan: () => Promise<void>): Job => ({
  name: 'release folder',
  everyMs: EVERY_MS,
  run: scan,
})
