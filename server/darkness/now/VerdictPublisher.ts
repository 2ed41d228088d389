import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { JOBS_CHANNEL } from '#server/jobs/JobBells.ts'
import { pause } from '#server/jobs/pause.ts'

export const VERDICTS_JOB = 'verdicts'

/** Changes within this time share a notice. */
const GATHER_MS = 200
const RETRY_MS = 1_000
/** A notice holds 8,000 bytes. */
const DEVICES_A_NOTICE = 700

export interface VerdictPublisher {
  /** Announces that something happened that may change the current verdict of these devices. */
  tell(deviceIds: Iterable<DeviceId>): void
  /** Stops. The next leader or the clock finds what was not announced by then. */
  stop(): Promise<void>
}

/** Notifies the leading process which devices to judge again. While the database is down it retries. */
export function createVerdictPublisher(queryable: Queryable): VerdictPublisher {
  const waiting = new Set<DeviceId>()
  const stopping = new AbortController()
  let telling: Promise<void> | undefined

  async function tellAll() {
    await pause(GATHER_MS, stopping.signal)
    while (waiting.size > 0 && !stopping.signal.aborted) {
      const some = [...waiting.keys().take(DEVICES_A_NOTICE)]
      for (const deviceId of some) waiting.delete(deviceId)
      try {
        await queryable.query('select pg_notify($1, $2)', [JOBS_CHANNEL, `${VERDICTS_JOB}:${some.join(',')}`])
      } catch {
        for (const deviceId of some) waiting.add(deviceId)
        await pause(RETRY_MS, stopping.signal)
      }
    }
    telling = undefined
  }

  return {
    tell(deviceIds) {
      for (const deviceId of deviceIds) waiting.add(deviceId)
      if (waiting.size > 0 && !stopping.signal.aborted) telling ??= tellAll()
    },
    async stop() {
      stopping.abort()
      await telling
    },
  }
}

export const readDevicesTold = (text: string): DeviceId[] => text.split(',').map((id) => Number(id) as DeviceId)
