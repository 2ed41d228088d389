import type { DeviceId } from '#domain/ids.ts'
import { type Job, TOLD_EVERY_MS } from '#server/jobs/JobRunner.ts'
import { countDaysAnew, planInTurn } from './windowPlan.store.ts'

const RETRY_MS = 3_000

/**
 * Plans ahead when devices are under maintenance, follows changes of their tags and customers, and has their days
 * counted again.
 * @param onChanged receives each device whose maintenance has changed
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
