import type pg from 'pg'
import type { ConnectionWatch } from '../db/ConnectionWatch.ts'
import { traced } from '../metrics/tracing.ts'
import { JobBells } from './JobBells.ts'
import { beginRun, endRun, type JobRun, type JobRuns } from './jobRuns.ts'
import { type Leadership, whileLeading } from './leadership.ts'
import { pause } from './pause.ts'

const TRY_EVERY_MS = 1_000
/** Between two runs of a job that takes longer than its period. */
const SHORTEST_REST_MS = 50
/** How often notices make a job look: they come in bursts, and one look answers all of them. */
const WOKEN_APART_MS = 1_000
/** After a failure: what was in the way at a start, or for a moment, must not cost a job that comes each hour an hour. */
const RETRY_AFTER_MS = 60_000
/** How often a job looks that is told when it has something to do: nothing but a notice that was lost waits so long. */
export const TOLD_EVERY_MS = 30_000

/** What a run knows of the next one. Most know nothing: it comes at its usual time. */
// biome-ignore lint/suspicious/noConfusingVoidType: they return nothing at all
export type RunEnd = { readonly againInMs: number } | undefined | void

export interface Job {
  /** By which notices wake it too (docs/decisions/0162). */
  readonly name: string
  readonly everyMs: number
  /** When it comes again after a failure, where that is sooner than its next time; after a minute without it. */
  readonly retryMs?: number
  /** What a notice tells beside its name, from before the first run of a lead on. */
  onTold?(text: string): void
  /** @param stopped of this lead; what takes long ends early then, and goes on in another process */
  run(owner: pg.Client, now: Date, stopped: AbortSignal): Promise<RunEnd>
}

/** A job on connections of its own: it waits for none of the leader's, and is right in whichever process it runs. */
export interface UnfencedJob extends Pick<Job, 'name' | 'everyMs' | 'retryMs' | 'onTold'> {
  runUnfenced(stopped: AbortSignal): Promise<RunEnd>
}

export type AnyJob = Job | UnfencedJob

export interface JobsDeps {
  /** Of connections as the owner. */
  readonly watch: ConnectionWatch
  readonly jobs: readonly AnyJob[]
  readonly log: { error(details: object, message: string): void }
  readonly now?: () => Date
}

export interface RunningJobs {
  /** When it was last known that a process leads, this one or another, by `performance.now()`. */
  leaderSeenAtMs(): number
  /** Whether this process leads. */
  isLeading(): boolean
  /** Of each job that has run in this process. */
  readonly runs: JobRuns
  stop(): Promise<void>
}

/**
 * Runs what the clock or a notice starts, in one process of all that share the database: the one that leads. Each job
 * has a clock of its own: one that takes its time delays no other, one that fails is logged and comes again at its next
 * time, and none overlaps with itself.
 */
export function startJobs(deps: JobsDeps): RunningJobs {
  const stopping = new AbortController()
  const state: Standing = { seenAtMs: performance.now(), leadership: undefined, runs: new Map() }
  const done = lead(deps, stopping.signal, state)
  return {
    leaderSeenAtMs: () => state.seenAtMs,
    isLeading: () => state.leadership?.over.aborted === false,
    runs: state.runs,
    async stop() {
      stopping.abort()
      await done
    },
  }
}

interface Standing {
  seenAtMs: number
  /** The newest; it may be over. */
  leadership: Leadership | undefined
  readonly runs: Map<string, JobRun>
}

async function lead(deps: JobsDeps, stopped: AbortSignal, state: Standing): Promise<void> {
  const underWay = new Set<AnyJob>()
  const bells = new JobBells()
  const onLeader = () => {
    state.seenAtMs = performance.now()
  }
  const work = async (leadership: Leadership) => {
    state.leadership = leadership
    await Promise.all(deps.jobs.map((job) => repeat(job, deps, leadership, { underWay, bells, runs: state.runs })))
  }
  const onNotice = (text: string) => {
    const [name = '', ...told] = text.split(':')
    if (told.length > 0) deps.jobs.find((job) => job.name === name)?.onTold?.(told.join(':'))
    bells.ring(name)
  }
  while (!stopped.aborted) {
    try {
      await whileLeading(deps.watch, stopped, { onLeader, onNotice, work })
    } catch (error) {
      if (!stopped.aborted) deps.log.error({ error: String(error) }, 'jobs: no connection to the database')
    }
    await pause(TRY_EVERY_MS, stopped)
  }
}

interface Running {
  /** Also what an earlier lead of this process has begun and not ended yet. */
  readonly underWay: Set<AnyJob>
  readonly bells: JobBells
  readonly runs: Map<string, JobRun>
}

async function repeat(job: AnyJob, deps: JobsDeps, lead: Leadership, { underWay, bells, runs }: Running) {
  const { over } = lead
  while (!over.aborted) {
    const beganAtMs = performance.now()
    let dueAgainMs = beganAtMs + job.everyMs
    if (!underWay.has(job)) {
      underWay.add(job)
      // What is told from now on, this run may not see.
      bells.hush(job.name)
      const end = await runOnce(job, deps, lead, runs)
      underWay.delete(job)
      if (end) dueAgainMs = Math.min(dueAgainMs, performance.now() + end.againInMs)
    }
    await pause(Math.max(SHORTEST_REST_MS, Math.min(dueAgainMs, beganAtMs + WOKEN_APART_MS) - performance.now()), over)
    await bells.rung(job.name, dueAgainMs - performance.now(), over)
  }
}

async function runOnce(
  job: AnyJob,
  { log, now = () => new Date() }: JobsDeps,
  { lend, over }: Leadership,
  runs: Map<string, JobRun>,
): Promise<RunEnd> {
  const beganAtMs = performance.now()
  const run = beginRun(runs, job, now())
  try {
    const end = await traced(`job ${job.name}`, { isRoot: true }, () =>
      'runUnfenced' in job ? job.runUnfenced(over) : lend((owner) => job.run(owner, now(), over)),
    )
    endRun(run, beganAtMs, now(), true)
    return end
  } catch (error) {
    // A lead that ends takes its jobs with it: no fault of theirs.
    if (!over.aborted) endRun(run, beganAtMs, now(), false)
    if (!over.aborted) log.error({ job: job.name, error: String(error) }, 'a job failed and will be tried again')
    return { againInMs: job.retryMs ?? RETRY_AFTER_MS }
  }
}
