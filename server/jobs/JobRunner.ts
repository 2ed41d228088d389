import type pg from 'pg'
import type { ConnectionWatch } from '../db/connect/ConnectionWatch.ts'
import { traced } from '../metrics/tracing.ts'
import { JobBells } from './JobBells.ts'
import { beginRun, endRun, type JobRun, type JobRuns } from './jobRuns.ts'
import { type Leadership, whileLeading } from './leadership.ts'
import { pause } from './pause.ts'

const TRY_EVERY_MS = 1_000
/** A job that takes longer than its period rests this long between two runs. */
const SHORTEST_REST_MS = 50
/** Notices come in bursts, and one run answers all of them. */
const WOKEN_APART_MS = 1_000
/** A brief obstacle, such as at a start, must not cost an hourly job an hour. */
const RETRY_AFTER_MS = 60_000
/** A job that notices wake also runs at this interval, in case a notice was lost. */
export const TOLD_EVERY_MS = 30_000

/** Says what a run knows of the next one. Most know nothing: the next comes at its usual time. */
// biome-ignore lint/suspicious/noConfusingVoidType: they return nothing at all
export type RunEnd = { readonly againInMs: number } | undefined | void

export interface Job {
  /** Notices wake the job by this name too (docs/decisions/0162). */
  readonly name: string
  readonly everyMs: number
  /** The time to the next run after a failure, where that is sooner than the usual; a minute without it. */
  readonly retryMs?: number
  /** Receives the text of a notice, from before the first run of a lead on. */
  onTold?(text: string): void
  /** @param stopped of this lead: long work ends early then, and goes on in another process */
  run(owner: pg.Client, now: Date, stopped: AbortSignal): Promise<RunEnd>
}

/** A job on connections of its own: it waits for none of the leader's, and is right in whichever process it runs. */
export interface UnfencedJob extends Pick<Job, 'name' | 'everyMs' | 'retryMs' | 'onTold'> {
  runUnfenced(stopped: AbortSignal): Promise<RunEnd>
}

export type AnyJob = Job | UnfencedJob

export interface JobRunnerDeps {
  readonly watch: ConnectionWatch
  readonly jobs: readonly AnyJob[]
  readonly log: { error(details: object, message: string): void }
  readonly now?: () => Date
}

/**
 * Runs scheduled jobs in one process of all that share the database: the one that leads. Each job has its own schedule:
 * a slow one delays no other, a failed one is logged and runs again at its next time, and none overlaps with itself.
 */
export class JobRunner {
  readonly #runs = new Map<string, JobRun>()
  readonly #deps: JobRunnerDeps
  readonly #bells = new JobBells()
  /** Includes jobs that an earlier lead of this process began and that have not ended. */
  readonly #underWay = new Set<AnyJob>()
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>
  #seenAtMs = performance.now()
  /** The newest lead; it may be over. */
  #leadership: Leadership | undefined

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps
    this.#done = this.#lead()
  }

  /** Holds the runs of each job that has run in this process. */
  get runs(): JobRuns {
    return this.#runs
  }

  isLeading(): boolean {
    return this.#leadership?.over.aborted === false
  }

  /** Returns when some process was last known to lead, by `performance.now()`. */
  leaderSeenAtMs(): number {
    return this.#seenAtMs
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#done
  }

  async #lead(): Promise<void> {
    const { signal } = this.#stopping
    const parts = {
      onLeader: () => {
        this.#seenAtMs = performance.now()
      },
      onNotice: (text: string) => this.#hear(text),
      work: (leadership: Leadership) => this.#work(leadership),
    }
    while (!signal.aborted) {
      try {
        await whileLeading(this.#deps.watch, signal, parts)
      } catch (error) {
        if (!signal.aborted) this.#deps.log.error({ error: String(error) }, 'jobs: no connection to the database')
      }
      await pause(TRY_EVERY_MS, signal)
    }
  }

  async #work(leadership: Leadership): Promise<void> {
    this.#leadership = leadership
    await Promise.all(this.#deps.jobs.map((job) => this.#repeat(job, leadership)))
  }

  #hear(text: string): void {
    const [name = '', ...told] = text.split(':')
    if (told.length > 0) this.#deps.jobs.find((job) => job.name === name)?.onTold?.(told.join(':'))
    this.#bells.ring(name)
  }

  async #repeat(job: AnyJob, lead: Leadership): Promise<void> {
    const { over } = lead
    while (!over.aborted) {
      const beganAtMs = performance.now()
      let dueAgainMs = beganAtMs + job.everyMs
      if (!this.#underWay.has(job)) {
        this.#underWay.add(job)
        // This run may not see what is announced from now on.
        this.#bells.hush(job.name)
        const end = await this.#runOnce(job, lead)
        this.#underWay.delete(job)
        if (end) dueAgainMs = Math.min(dueAgainMs, performance.now() + end.againInMs)
      }
      await pause(
        Math.max(SHORTEST_REST_MS, Math.min(dueAgainMs, beganAtMs + WOKEN_APART_MS) - performance.now()),
        over,
      )
      await this.#bells.rung(job.name, dueAgainMs - performance.now(), over)
    }
  }

  async #runOnce(job: AnyJob, { lend, over }: Leadership): Promise<RunEnd> {
    const { log, now = () => new Date() } = this.#deps
    const beganAtMs = performance.now()
    const run = beginRun(this.#runs, job, now())
    try {
      const end = await traced(`job ${job.name}`, { isRoot: true }, () =>
        'runUnfenced' in job ? job.runUnfenced(over) : lend((owner) => job.run(owner, now(), over)),
      )
      endRun(run, beganAtMs, now(), true)
      return end
    } catch (error) {
      // The end of a lead aborts its jobs, which is no fault of theirs.
      if (!over.aborted) endRun(run, beganAtMs, now(), false)
      if (!over.aborted) log.error({ job: job.name, error: String(error) }, 'a job failed and will be tried again')
      return { againInMs: job.retryMs ?? RETRY_AFTER_MS }
    }
  }
}
