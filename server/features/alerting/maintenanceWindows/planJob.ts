import type { DeviceId } from '#domain/ids.ts'
import { type Job, TOLD_EVERY_MS } from '#server/jobs/leader.ts'
import { countDaysAnew, planInTurn } from './windowPlan.store.ts'

const RETRY_MS = 3_000

/**
 * Works out when devices are under maintenance before they are, brings it up to their tags and customers, and has their
 * days counted anew.
 *
 * @param onChanged with devices of which that is another time now
 */
export function maintenancePlanJob(onChanged: (deviceId: DeviceId) => void): Job {
  return {
    name: 'maintenance windows',
    everyMs: TOLD_EVERY_MS,
    retryMs: RETRY_MS,
    async run(owner, now, stopped) {
      for (const deviceId of await planInTurn(owner, now)) onChanged(deviceId)
      while (!stopped.aborted && (await countDaysAnew(owner, now)) > 0);
    },
  }
}
