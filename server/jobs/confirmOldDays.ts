import type pg from 'pg'
import { acceptClock } from '../db/partitions/clockState.ts'
import { ClockWatch } from './ClockWatch.ts'

/**
 * Tells an operator on the server's machine what a jumped clock would drop and, when confirmed, accepts the clock. The
 * running server makes and drops days within seconds then.
 *
 * @returns the text to print
 * @throws Error of one sentence when the clock of this machine is not the database's
 */
export async function confirmOldDays(deps: {
  readonly pool: pg.Pool
  readonly retentionDays: number
  readonly isConfirmed: boolean
}): Promise<string> {
  const { pool, retentionDays, isConfirmed } = deps
  const clock = new ClockWatch({ pool, retentionDays, log: { error: () => undefined, info: () => undefined } })
  await clock.look()
  const jump = clock.jumpTrouble()
  if (jump === undefined) return 'The clock has not jumped: nothing waits for a confirmation.'
  if (!isConfirmed) return jump
  const apart = clock.clockTrouble()
  if (apart !== undefined) throw new Error(apart)
  await acceptClock(pool)
  return 'Confirmed: the server makes and drops days by this clock from now on.'
}
