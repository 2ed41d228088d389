import type { DeviceId } from '#domain/ids.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { type Job, TOLD_EVERY_MS } from '#server/jobs/JobRunner.ts'
import { foldDue } from './foldDue.ts'

/** Notices of alerts wake the job by this name. */
export const INCIDENTS_JOB = 'incidents'

/**
 * Folds alerts into incidents as they come. The database holds what is due, written with the alert, so the next leader
 * goes on where this one ended.
 *
 * @param onFolded gets the devices whose alerts are in an incident now, or whose incidents changed
 * @param next job that waits for what was folded
 */
export function incidentJob(onFolded: (devices: ReadonlySet<DeviceId>) => void, next: string): Job {
  return {
    name: INCIDENTS_JOB,
    everyMs: TOLD_EVERY_MS,
    async run(owner, now, stopped) {
      for (let hasMore = true; hasMore && !stopped.aborted; ) {
        const folded = await transactionOn(owner, () => foldDue(owner, now))
        hasMore = folded.hasMore
        if (folded.devices.size === 0) continue
        await owner.query(ringSql(next))
        onFolded(folded.devices)
      }
    },
  }
}
