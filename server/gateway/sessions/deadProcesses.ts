import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import type { UnfencedJob } from '#server/jobs/JobRunner.ts'
import { expireDeadProcess, lapsedLeases } from '../wire/presence.store.ts'

/** The interval is longer than a living process takes to renew its lease. */
const EVERY_MS = 5_000

/**
 * Marks the devices of a killed process offline once its lease has expired. A process counts as dead only when its
 * lease is expired at two checks in a row, because all leases seem expired for a moment when the database's clock is
 * set forward.
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
