import type pg from 'pg'
import type { Worker } from '../../frame/Worker.ts'
import { processorTimeOf } from '../ingest/processorTime.ts'

const FOUND_WITHIN_MS = 60_000
const AT_REST_WITHIN_MS = 300_000
const LOOK_EVERY_MS = 1_000
/** Server and database use this much in a second for their schedules and jobs alone. */
const USED_AT_REST_MS = 150
const QUIET_LOOKS = 3

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Waits until a server that is new to a fleet has found its warmest devices and summed all its days, as on any later
 * day. Prints how long that took.
 */
export async function atRest(db: pg.Client, server: Worker): Promise<void> {
  const beganAt = performance.now()
  await hotDevicesFound(db, beganAt + FOUND_WITHIN_MS)
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    if (performance.now() - beganAt > AT_REST_WITHIN_MS) throw new Error('The server does not come to rest.')
    const { serverMs, databaseMs } = await processorTimeOf(db, [server], () => pause(LOOK_EVERY_MS))
    quiet = serverMs + (Number.isNaN(databaseMs) ? 0 : databaseMs) < USED_AT_REST_MS ? quiet + 1 : 0
  }
  console.log(`At rest ${((performance.now() - beganAt) / 1000).toFixed(0)} s after its start`)
}

/** The job runs soon after the start. */
async function hotDevicesFound(db: pg.Client, deadlineMs: number): Promise<void> {
  while ((await db.query('select from hot_device limit 1')).rowCount === 0) {
    if (performance.now() > deadlineMs) throw new Error('Nobody looked for the warmest devices.')
    await pause(200)
  }
}
