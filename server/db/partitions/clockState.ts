import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import type { Queryable } from '../transaction.ts'

/** A clock that is further than this from where it was last seen has jumped. */
const LONGEST_STEP_MS = DAY_MS
/** Every process checks the clock every few seconds; to write the time of each check would be needless work. */
const KEPT_EVERY_MS = MINUTE_MS

export interface ClockLook {
  readonly now: Date
  /** The time when the clock was last seen without a jump; undefined before the first check. */
  readonly seenAt: Date | undefined
}

/**
 * Reads the clock of the database, and stores that it was seen unless it has jumped since. A jump is therefore known to
 * all processes, and to those that start later, until somebody accepts it or the clock is set right.
 */
export async function lookAtClock(queryable: Pick<Queryable, 'query'>): Promise<ClockLook> {
  const { rows } = await queryable.query<{ now: Date; seen_at: Date | null }>(LOOK_SQL, [
    LONGEST_STEP_MS / 1000,
    KEPT_EVERY_MS / 1000,
  ])
  const [row] = rows
  if (row === undefined) throw new Error('The database does not know where its clock was.')
  return { now: row.now, seenAt: row.seen_at ?? undefined }
}

const LOOK_SQL = `
  with present as materialized (select clock_timestamp() as at),
  kept as (
    update clock_state set seen_at = present.at from present
    where seen_at is null or (seen_at <= present.at - make_interval(secs => $2) and seen_at >= present.at - make_interval(secs => $1)))
  select present.at as now, seen_at from present cross join clock_state`

/** Stores the present time as right, after somebody has confirmed it. */
export async function acceptClock(queryable: Pick<Queryable, 'query'>): Promise<void> {
  await queryable.query('update clock_state set seen_at = clock_timestamp()')
}

/** Returns the milliseconds of a jump since the clock was last seen, below 0 for backwards; undefined for none. */
export function jumpMs(seenAt: Date | undefined, nowMs: number): number | undefined {
  const stepMs = nowMs - (seenAt?.getTime() ?? nowMs)
  return Math.abs(stepMs) > LONGEST_STEP_MS ? stepMs : undefined
}
