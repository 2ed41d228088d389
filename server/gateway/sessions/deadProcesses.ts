import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import type { UnfencedJob } from '#server/jobs/leader.ts'
import { expireDeadProcess, lapsedLeases } from '../wire/presence.store.ts'

/** Longer than a living process takes to renew its lease. */
const EVERY_MS = 5_000

/**
 * A process that was killed cannot say goodbye for its devices; when its lease is over somebody else does. Dead is whose
 * lease is over at two looks in a row: all leases seem to be over for a moment when the database's clock is set forwards.
 */
export function deadProcessesJob(pool: pg.Pool, onPresence: (deviceId: DeviceId) => void): UnfencedJob {
  let lapsedBefore: ReadonlyMap<string, string> = new Map()
  return {
    name: 'dead processes',
    everyMs: EVERY_MS,
    async runUnfenced() {
      const lapsed = await lapsedLeases(pool)
      const dead = [...lapsed].filter(([id, until]) => lapsedBefore.get(id) === until)
      lapsedBefore = lapsed
      for (const [id] of dead) await expireDeadProcess(pool, id, onPresence)
    },
  }
}
