import pg from 'pg'
import { HOUR_MS } from '#domain/units/time.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { dropOldPartitions, finishDetaching } from '#server/db/partitions/oldPartitions.ts'
import { firstKeptDayMs, makePartitions } from '#server/db/partitions/partitions.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { ClockWatch } from '#server/jobs/ClockWatch.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { createSerialQueue } from '#server/jobs/serialQueue.ts'
import { refreshRollups } from '../rollup/rollups.ts'
import { isMergedBefore } from '../state/mergeState.ts'

/** A drop that a reader held up is tried again this soon. */
const OLD_DAYS_EVERY_MS = 600_000

/** A day that is being dropped looks unfinished to the job that makes days, so the two run one after the other. */
const queue = createSerialQueue()

export function keepDays(clock: ClockWatch, retentionDays: number, log: OldDaysDeps['log']) {
  let trouble: string | undefined
  const onTrouble = (words: string | undefined) => {
    trouble = words
  }
  return {
    jobs: [clock.steady(newDaysJob(retentionDays)), clock.deleting(oldDaysJob({ retentionDays, log, onTrouble }))],
    trouble: () => trouble,
  }
}

export function newDaysJob(retentionDays: number): Job {
  return {
    name: 'new days',
    everyMs: HOUR_MS,
    async run(owner, now) {
      // A day whose drop was under way when retention was lengthened can be made again after this.
      await queue(async () => {
        const unfinished = await finishDetaching(owner).catch((error: unknown) => error)
        await makePartitions(owner, now, retentionDays)
        if (unfinished) throw unfinished
      })
    },
  }
}

interface OldDaysDeps {
  readonly retentionDays: number
  readonly log: { info(details: object, sentence: string): void }
  /** Says why days beyond retention are still there; undefined when none is. */
  readonly onTrouble: (words: string | undefined) => void
}

/** Drops days beyond retention, but only after their readings are merged and their hours rolled up. */
export function oldDaysJob({ retentionDays, log, onTrouble }: OldDaysDeps): Job {
  return {
    name: 'old days',
    everyMs: OLD_DAYS_EVERY_MS,
    async run(owner, now, stopped) {
      const firstKept = new Date(firstKeptDayMs(now, retentionDays))
      const isRolledUp = await refreshRollups(owner, { now, before: firstKept, isOver: () => stopped.aborted })
      // These days may hold the newest value of fields that were not reported since.
      if (!isRolledUp || !(await isMergedBefore(owner, firstKept))) return
      await transactionOn(owner, async () => {
        // No day may lose readings while its dark minutes are counted.
        await owner.query(`select ${lockUntilCommit('darkDays')}`)
        await owner.query(
          `update rollup_state set complete_from = greatest(complete_from, ($1::timestamptz at time zone 'UTC')::date)`,
          [firstKept],
        )
      })
      try {
        const onDropped = (table: string) => log.info({ table }, 'the readings of a day beyond retention were dropped')
        await queue(() => dropOldPartitions(owner, { now, retentionDays, onDropped }))
        onTrouble(undefined)
      } catch (error) {
        // A lost connection says nothing about the days, and the next leader drops them.
        if (error instanceof pg.DatabaseError)
          onTrouble(`Days beyond retention could not be dropped: ${error.message}.`)
        throw error
      }
    },
  }
}
