import type pg from 'pg'
import type { ConnectionWatch } from '../db/ConnectionWatch.ts'
import { type Leadership, whileLeading } from './leadership.ts'
import { pause } from './pause.ts'

const TRY_EVERY_MS = 1_000
/** Between two runs of a job that takes longer than its period. */
const SHORTEST_REST_MS = 50

export interface Job {
  readonly name: string
  readonly everyMs: number
  /** @param stopped what takes long ends early then, and goes on in another process */
  run(owner: pg.Client, now: Date, stopped: AbortSignal): Promise<void>
}

/** A job on connections of its own: it waits for none of the leader's, and is right in whichever process it runs. */
export interface UnfencedJob extends Pick<Job, 'name' | 'everyMs'> {
  runUnfenced(stopped: AbortSignal): Promise<void>
}

export type AnyJob = Job | UnfencedJob

export interface JobsNeeds {
  /** Of connections as the owner. */
  readonly watch: ConnectionWatch
  readonly jobs: readonly AnyJob[]
  readonly log: { error(details: object, message: string): void }
  readonly now?: () => Date
}

export interface RunningJobs {
  /** When it was last known that a process leads, this one or another, by `performance.now()`. */
  leaderSeenAtMs(): number
  stop(): Promise<void>
}

/**
 * Runs what the clock starts, in one process of all that share the database: the one that leads. Each job
 * has a clock of its own: one that takes its time delays no other, one that fails is logged and comes again at its next
 * time, and none overlaps with itself.
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
  const underWay = new Set<AnyJob>()
  const work = async (leadership: Leadership) => {
    await Promise.all(needs.jobs.map((job) => repeat(job, needs, leadership, underWay)))
  }
  while (!stopped.aborted) {
    try {
      await whileLeading(needs.watch, stopped, { onLeader, work })
    } catch (error) {
      if (!stopped.aborted) needs.log.error({ error: String(error) }, 'jobs: no connection to the database')
    }
    await pause(TRY_EVERY_MS, stopped)
  }
}

/** @param underWay also what an earlier lead of this process has begun and not ended yet */
async function repeat(
  job: AnyJob,
  { log, now = () => new Date() }: JobsNeeds,
  lead: Leadership,
  underWay: Set<AnyJob>,
) {
  const { over } = lead
  while (!over.aborted) {
    const dueAgainMs = performance.now() + job.everyMs
    if (!underWay.has(job)) {
      underWay.add(job)
      try {
        if ('run' in job) await lead.lend((owner) => job.run(owner, now(), over))
        else await job.runUnfenced(over)
      } catch (error) {
        if (!over.aborted) log.error({ job: job.name, error: String(error) }, 'a job failed and will be tried again')
      } finally {
        underWay.delete(job)
      }
    }
    await pause(Math.max(SHORTEST_REST_MS, dueAgainMs - performance.now()), over)
  }
}
