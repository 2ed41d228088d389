import pg from 'pg'
import { HOUR_MS } from '#domain/units/time.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import {
  dropOldMonths,
  dropOldPartitions,
  finishDetaching,
  joinOldMessages,
} from '#server/db/partitions/oldPartitions.ts'
import { firstKeptDayMs, makePartitions } from '#server/db/partitions/partitions.ts'
import { CLOSED_DAY_TABLE, MESSAGE_TABLE, ROLLUP_TABLE } from '#server/db/partitions/readingTables.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { ClockWatch } from '#server/jobs/ClockWatch.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { createSerialQueue } from '#server/jobs/serialQueue.ts'
import type { ClosedDay } from '../closed/closeDays.ts'
import { firstOpenDay, hasToClose } from '../closed/daysToClose.ts'
import { closeInThread } from '../closing/closeInThread.ts'
import { refreshRollups } from '../rollup/rollups.ts'
import { isMergedBefore } from '../state/mergeState.ts'
import { type AgedRowsSettings, agedRowsJob } from './agedRows.ts'

/** A drop that a reader held up is tried again this soon. */
const OLD_DAYS_EVERY_MS = 600_000

/** The first closing may take days, so it lets the others have their turn. */
const LONGEST_TURN_MS = 600_000

/** A day that is being dropped looks unfinished to the job that makes days, so only one of these runs at a time. */
const queue = createSerialQueue()

export interface KeptDaysDeps {
  /** Reports and messages may be this old when they come, and refused ones are kept this long. */
  readonly retentionDays: number
  readonly closing: ClosingSettings
  readonly kept: KeptSettings
  readonly log: OldDaysDeps['log']
}

/** How readings are kept (decision 313). */
export interface ClosingSettings {
  /** The address of the database as the owner of its tables. */
  readonly url: string
  /** So many whole days stay open before they are closed. */
  readonly openDays: number
  /** The share of a core that closing may take. */
  readonly share: number
  /** How long the rows of a closed day stay; a minute if not said. */
  readonly readersTakeMs?: number
}

/** For how many days what is kept. */
export interface KeptSettings extends AgedRowsSettings {
  /** Readings of closed days, and messages. */
  readonly closedDays: number
  readonly rollupDays: number
}

export function keepDays(clock: ClockWatch, { retentionDays, closing, kept, log }: KeptDaysDeps) {
  const troubles = new Map<string, string>()
  const onTrouble = (of: string) => (words: string | undefined) => {
    if (words === undefined) troubles.delete(of)
    else troubles.set(of, words)
  }
  return {
    jobs: [
      clock.steady(newDaysJob(retentionDays)),
      clock.deleting(closingJob({ ...closing, log, onTrouble: onTrouble('closing') })),
      clock.deleting(
        oldDaysJob({
          ...{ retentionDays, kept },
          ...{ log, onTrouble: onTrouble('dropping') },
        }),
      ),
      clock.deleting(agedRowsJob(kept)),
    ],
    trouble: () => [...troubles.values()].join(' ') || undefined,
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
  /** With these, readings stay until their days are closed, messages are joined, and both are dropped by month. */
  readonly kept?: Omit<KeptSettings, keyof AgedRowsSettings>
  readonly log: { info(details: object, sentence: string): void }
  /** Says why days beyond retention are still there; undefined when none is. */
  readonly onTrouble: (words: string | undefined) => void
}

/** Drops days beyond retention, but readings only after they are merged and their hours rolled up. */
export function oldDaysJob({ retentionDays, kept, log, onTrouble }: OldDaysDeps): Job {
  return {
    name: 'old days',
    everyMs: OLD_DAYS_EVERY_MS,
    async run(owner, now, stopped) {
      const firstKept = new Date(firstKeptDayMs(now, retentionDays))
      if (kept === undefined && !(await letReadingsGo(owner, firstKept, { now, stopped }))) return
      try {
        const onDropped = (table: string) => log.info({ table }, 'what is beyond its retention was dropped')
        await queue(async () => {
          await dropOldPartitions(owner, { now, retentionDays, keepsReadings: kept !== undefined, onDropped })
          if (kept === undefined) return
          await joinOldMessages(owner, now, retentionDays)
          const { closedDays, rollupDays } = kept
          await dropOldMonths(owner, MESSAGE_TABLE, { now, retentionDays: closedDays, onDropped })
          await dropOldMonths(owner, ROLLUP_TABLE, { now, retentionDays: rollupDays, onDropped })
          const firstMonth = firstOfMonth(firstKeptDayMs(now, closedDays))
          if (await letReadingsGo(owner, firstMonth, { now, stopped }))
            await dropOldMonths(owner, CLOSED_DAY_TABLE, { now, retentionDays: closedDays, onDropped })
        })
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

interface LetGo {
  readonly now: Date
  readonly stopped: AbortSignal
}

const firstOfMonth = (ms: number) => new Date(new Date(ms).setUTCDate(1))

/** Whether the hours of all readings of the time before are rolled up, and their newest values merged. */
async function isWorkedOut(owner: pg.ClientBase, before: Date, { now, stopped }: LetGo): Promise<boolean> {
  const isRolledUp = await refreshRollups(owner, { now, before, isOver: () => stopped.aborted })
  // These days may hold the newest value of fields that were not reported since.
  return isRolledUp && (await isMergedBefore(owner, before))
}

/** Whether readings of the time before may be deleted. What was worked out from them stays as it is from here on. */
async function letReadingsGo(owner: pg.ClientBase, before: Date, work: LetGo): Promise<boolean> {
  if (!(await isWorkedOut(owner, before, work))) return false
  await transactionOn(owner, async () => {
    // No day may lose readings while its hours are worked out or its dark minutes counted.
    await owner.query(`select ${lockUntilCommit('rollups')}, ${lockUntilCommit('darkDays')}`)
    await owner.query(
      `update rollup_state set complete_from = greatest(complete_from, ($1::timestamptz at time zone 'UTC')::date)`,
      [before],
    )
  })
  return true
}

interface ClosingDeps extends ClosingSettings {
  readonly log: OldDaysDeps['log']
  /** Says why old days are still open; undefined when none is. */
  readonly onTrouble: OldDaysDeps['onTrouble']
}

/**
 * Closes days that are old by the clock and by what devices told last, and merges late readings into closed ones
 * (rules/readings 3, 6).
 */
export function closingJob({ url, openDays, share, readersTakeMs, log, onTrouble }: ClosingDeps): Job {
  return {
    name: 'closed days',
    everyMs: OLD_DAYS_EVERY_MS,
    async run(owner, now, stopped) {
      const newest = await newestArrival(owner)
      if (newest === undefined) return undefined
      const before = firstOpenDay(newest < now ? newest : now, openDays)
      if (!(await hasToClose(owner, before))) return undefined
      // Rows are faster to work out than files.
      if (!(await isWorkedOut(owner, new Date(before), { now, stopped }))) return undefined
      const onClosed = (closed: ClosedDay) => log.info(closed, 'the readings of a day were closed')
      try {
        const turn = AbortSignal.any([stopped, AbortSignal.timeout(LONGEST_TURN_MS)])
        const beganAt = performance.now()
        const { isDone, workedMs } = await queue(() =>
          closeInThread({ url, before, share, readersTakeMs }, { stopped: turn, onClosed }),
        )
        onTrouble(undefined)
        await owner.query('update closing_state set ran_at = now(), ran_ms = $1, worked_ms = $2', [
          ...[performance.now() - beganAt, workedMs],
        ])
        return isDone ? undefined : { againInMs: 0 }
      } catch (error) {
        onTrouble(`Days of readings could not be closed: ${(error as Error).message}`)
        throw error
      }
    },
  }
}

/** A clock that is set a year ahead must not make the present old. */
async function newestArrival(owner: pg.ClientBase): Promise<Date | undefined> {
  const { rows } = await owner.query<{ at: Date | null }>('select max(received_at) as at from device_state')
  return rows[0]?.at ?? undefined
}
