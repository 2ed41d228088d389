import type { Job } from './leader.ts'

const EVERY_MS = 5_000

/** Ends commands that nobody will end any more, because a process died or a device never answered. */
export const commandSweepJob = (sweep: () => Promise<void>): Job => ({
  name: 'commands',
  everyMs: EVERY_MS,
  run: sweep,
})
