import type pg from 'pg'
import type { ConnectionWatch } from '../db/ConnectionWatch.ts'
import type { WatchedClient } from '../db/WatchedClient.ts'
import { type Leadership, whileLeading } from './leadership.ts'
import { pause } from './pause.ts'

const TRY_EVERY_MS = 1_000

export interface Job {
  readonly name: string
  readonly everyMs: number
  /** @param stopped what takes long ends early then, and goes on in another process */
  run(owner: pg.Client, now: Date, stopped: AbortSignal): Promise<void>
}

export interface JobsNeeds {
  /** Of connections as the owner. */
  readonly watch: ConnectionWatch
  readonly jobs: readonly Job[]
  readonly log: { error(details: object, message: string): void }
  readonly now?: () => Date
}

export interface RunningJobs {
  /** When it was last known that a process leads, this one or another, by `performance.now()`. */
  leaderSeenAtMs(): number
  stop(): Promise<void>
}

/**
 * Runs what the clock starts, in one process of all that share the database: the one that leads. A job that fails is
 * logged and comes again at its next time.
 */
export function startJobs(needs: JobsNeeds): RunningJobs {
  const stopping = new AbortController()
  let seenAtMs = performance.now()
  const done = lead(needs, stopping.signal, () => {
    seenAtMs = performance.now()
  })
  return {
    leaderSeenAtMs: () => seenAtMs,
    async stop() {
      stopping.abort()
      await done
    },
  }
}

async function lead(needs: JobsNeeds, stopped: AbortSignal, onLeader: () => void): Promise<void> {
  while (!stopped.aborted) {
    try {
      await whileLeading(needs.watch, stopped, { onLeader, work: (leadership) => runDueJobs(needs, leadership) })
    } catch (error) {
      if (!stopped.aborted) needs.log.error({ error: String(error) }, 'jobs: no connection to the database')
    }
    await pause(TRY_EVERY_MS, stopped)
  }
}

async function runDueJobs({ jobs, log, now = () => new Date() }: JobsNeeds, { over, openWork }: Leadership) {
  const nextAt = new Map(jobs.map((job) => [job, 0]))
  let work: WatchedClient | undefined
  while (!over.aborted) {
    for (const job of jobs) {
      if (over.aborted || (nextAt.get(job) ?? 0) > performance.now()) continue
      nextAt.set(job, performance.now() + job.everyMs)
      try {
        if (work === undefined || work.isOver) work = await openWork()
        await job.run(work, now(), over)
      } catch (error) {
        if (!over.aborted) log.error({ job: job.name, error: String(error) }, 'a job failed and will be tried again')
      }
    }
    const soonest = Math.min(...nextAt.values()) - performance.now()
    await pause(Math.max(50, soonest), over)
  }
  await work?.end().catch(() => undefined)
}
