import type { Job } from '#server/jobs/JobRunner.ts'
import { eraseRequested } from './erasePerson.store.ts'

const LOOK_EVERY_MS = 15_000

/** The job runs as the owner of the tables, who alone may change the audit log. */
export const erasePersonsJob = (log: { info(details: object, sentence: string): void }): Job => ({
  name: 'erase persons',
  everyMs: LOOK_EVERY_MS,
  async run(owner, _now, stopped) {
    while (!stopped.aborted) {
      const erased = await eraseRequested(owner)
      if (!erased) return
      log.info({ userId: erased.userId, entries: erased.entries }, 'a person was erased')
    }
  },
})
