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

/** Notifies the leading process which devices to judge again. While the database is down it retries. */
export class VerdictPublisher {
  readonly #queryable: Queryable
  readonly #waiting = new Set<DeviceId>()
  readonly #stopping = new AbortController()
  #telling: Promise<void> | undefined

  constructor(queryable: Queryable) {
    this.#queryable = queryable
  }

  /** Announces that something happened that may change the current verdict of these devices. */
  tell(deviceIds: Iterable<DeviceId>): void {
    for (const deviceId of deviceIds) this.#waiting.add(deviceId)
    if (this.#waiting.size > 0 && !this.#stopping.signal.aborted) this.#telling ??= this.#tellAll()
  }

  /** Stops. The next leader or the clock finds what was not announced by then. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#telling
  }

  async #tellAll(): Promise<void> {
    const { signal } = this.#stopping
    await pause(GATHER_MS, signal)
    while (this.#waiting.size > 0 && !signal.aborted) {
      const some = [...this.#waiting.keys().take(DEVICES_A_NOTICE)]
      for (const deviceId of some) this.#waiting.delete(deviceId)
      try {
        await this.#queryable.query('select pg_notify($1, $2)', [JOBS_CHANNEL, `${VERDICTS_JOB}:${some.join(',')}`])
      } catch {
        for (const deviceId of some) this.#waiting.add(deviceId)
        await pause(RETRY_MS, signal)
      }
    }
    this.#telling = undefined
  }
}

export const readDevicesTold = (text: string): DeviceId[] => text.split(',').map((id) => Number(id) as DeviceId)
