import { dropOldPartitions, finishDetaching } from '../db/oldPartitions.ts'
import { firstKeptDayMs, makePartitions } from '../db/partitions.ts'
import { refreshRollups } from '../telemetry/rollups.ts'
import type { ClockWatch } from './ClockWatch.ts'
import type { Job } from './leader.ts'

const HOUR_MS = 3_600_000
/** What a reader held up is tried again this soon. */
const OLD_DAYS_EVERY_MS = 600_000
/** How long an ended session still shows from which addresses its owner usually comes. */
const ENDED_SESSIONS_KEPT_DAYS = 30
/** A delay after failed sign-ins is shorter than this, so older counts mean nothing. */
const FAILURES_KEPT_HOURS = 24
/** Longer than a cookie lasts that was signed by the key on its last day. */
const BROWSER_KEYS_KEPT_DAYS = 150
const ENDED_NOTIFICATIONS_KEPT_DAYS = 90

/** The jobs that make and drop days, and why days beyond retention are still there. */
export function keepDays(clock: ClockWatch, retentionDays: number, log: OldDaysNeeds['log']) {
  let trouble: string | undefined
  const onTrouble = (words: string | undefined) => {
    trouble = words
  }
  return {
    jobs: [clock.steady(newDaysJob(retentionDays)), clock.deleting(oldDaysJob({ retentionDays, log, onTrouble }))],
    trouble: () => trouble,
  }
}

/** Day partitions ahead of time (design: Telemetry). */
function newDaysJob(retentionDays: number): Job {
  return {
    name: 'new days',
    everyMs: HOUR_MS,
    async run(owner, now) {
      // A day that was on its way out when retention was made longer is free to come back then.
      const unfinished = await finishDetaching(owner).catch((error: unknown) => error)
      await makePartitions(owner, now, retentionDays)
      if (unfinished) throw unfinished
    },
  }
}

interface OldDaysNeeds {
  readonly retentionDays: number
  readonly log: { info(details: object, sentence: string): void }
  /** Why days beyond retention are still there; undefined when none is. */
  readonly onTrouble: (words: string | undefined) => void
}

/**
 * Days beyond retention away: not before their hours are rolled up, and from then on no longer as a source of roll-ups.
 */
export function oldDaysJob({ retentionDays, log, onTrouble }: OldDaysNeeds): Job {
  return {
    name: 'old days',
    everyMs: OLD_DAYS_EVERY_MS,
    async run(owner, now, stopped) {
      const firstKept = new Date(firstKeptDayMs(now, retentionDays))
      const isRolledUp = await refreshRollups(owner, { now, before: firstKept, isOver: () => stopped.aborted })
      if (!isRolledUp) return
      await owner.query(
        `update rollup_state set complete_from = greatest(complete_from, ($1::timestamptz at time zone 'UTC')::date)`,
        [firstKept],
      )
      try {
        const onDropped = (table: string) => log.info({ table }, 'the readings of a day beyond retention were dropped')
        await dropOldPartitions(owner, { now, retentionDays, onDropped })
        onTrouble(undefined)
      } catch (error) {
        onTrouble(`Days beyond retention could not be dropped: ${(error as Error).message}.`)
        throw error
      }
    },
  }
}

export const expiredRowsJob: Job = {
  name: 'expired rows',
  everyMs: HOUR_MS,
  async run(owner, now) {
    await owner.query(`delete from app_session where expires_at < $1::timestamptz - make_interval(days => $2)`, [
      now,
      ENDED_SESSIONS_KEPT_DAYS,
    ])
    await owner.query(
      `delete from sign_in_failure where last_failed_at < $1::timestamptz - make_interval(hours => $2)`,
      [now, FAILURES_KEPT_HOURS],
    )
    await owner.query(`delete from browser_key where made_at < $1::timestamptz - make_interval(days => $2)`, [
      now,
      BROWSER_KEYS_KEPT_DAYS,
    ])
    await owner.query('delete from allowance where whole_at < $1', [now])
    await owner.query(
      `delete from notification where coalesce(sent_at, given_up_at) < $1::timestamptz - make_interval(days => $2)`,
      [now, ENDED_NOTIFICATIONS_KEPT_DAYS],
    )
    await owner.query('delete from password_link where expires_at < $1', [now])
    await owner.query(
      `delete from password_mail where coalesce(sent_at, given_up_at) < $1::timestamptz - make_interval(days => $2)`,
      [now, ENDED_NOTIFICATIONS_KEPT_DAYS],
    )
  },
}
