import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { expireDeadProcesses } from '../gateway/presence.store.ts'
import type { Job } from './leader.ts'

const EVERY_MS = 5_000

/** A process that was killed cannot say goodbye for its devices; when its lease is over somebody else does. */
export function deadProcessesJob(pool: pg.Pool, onPresence: (deviceId: DeviceId) => void): Job {
  return {
    name: 'dead processes',
    everyMs: EVERY_MS,
    async run() {
      for (const deviceId of await expireDeadProcesses(pool)) onPresence(deviceId)
    },
  }
}
