import type { Queryable } from '../db/transaction.ts'
import { pause } from './pause.ts'

/** Its notices are names of jobs, with an optional text after a colon; triggers send some (migration 0024). */
export const JOBS_CHANNEL = 'wayside_jobs'

/** SQL: notifies a job with the commit. @param jobName one of ours */
export const ringSql = (jobName: string) => `select pg_notify('${JOBS_CHANNEL}', '${jobName}')`

/** Remembers which jobs of this process have something to do. */
export class JobBells {
  readonly #rung = new Set<string>()
  readonly #waiting = new Map<string, AbortController>()

  ring(jobName: string): void {
    this.#rung.add(jobName)
    this.#waiting.get(jobName)?.abort()
  }

  hush(jobName: string): void {
    this.#rung.delete(jobName)
  }

  /** Ends when the job is rung, or was since it was hushed, and after the time at the latest. */
  async rung(jobName: string, withinMs: number, over: AbortSignal): Promise<void> {
    if (this.#rung.has(jobName) || withinMs <= 0) return
    const rings = new AbortController()
    this.#waiting.set(jobName, rings)
    await pause(withinMs, AbortSignal.any([over, rings.signal]))
    this.#waiting.delete(jobName)
  }
}

/** Wakes a job in the process that leads. When that fails, the job runs at its own interval. */
export function createJobRinger(queryable: Queryable, jobName: string): () => void {
  let isUnderWay = false
  let isWanted = false
  const ring = async () => {
    isUnderWay = true
    for (isWanted = true; isWanted; ) {
      isWanted = false
      await queryable.query(`select pg_notify('${JOBS_CHANNEL}', $1)`, [jobName]).catch(() => undefined)
    }
    isUnderWay = false
  }
  return () => {
    isWanted = true
    if (!isUnderWay) void ring()
  }
}
