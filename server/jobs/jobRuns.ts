import { MINUTE_MS } from '#domain/units/time.ts'

export interface JobRun {
  readonly everyMs: number
  readonly firstBeganAt: Date
  /** The present run began then; undefined between runs. */
  beganAt: Date | undefined
  done: number
  failed: number
  /** The sum of all runs. */
  tookMs: number
  lastAt: Date | undefined
  lastDoneAt: Date | undefined
}

export type JobRuns = ReadonlyMap<string, Readonly<JobRun>>

/** Nobody has to know of a failure that the next try mends. */
const PATIENCE_MS = MINUTE_MS

/**
 * True when the job failed last and should have been done meanwhile. Before its time has passed once it is only not
 * done yet; and one that has run for long without failing, as endless ones do, is well.
 */
export function isFailing(
  { everyMs, firstBeganAt, beganAt, lastAt, lastDoneAt }: Readonly<JobRun>,
  now: Date,
): boolean {
  if (lastAt === lastDoneAt) return false
  if (beganAt && now.getTime() - beganAt.getTime() > PATIENCE_MS) return false
  return now.getTime() - (lastDoneAt ?? firstBeganAt).getTime() > everyMs + PATIENCE_MS
}

export const failingJobs = (runs: JobRuns, now: Date): readonly string[] =>
  [...runs].flatMap(([name, run]) => (isFailing(run, now) ? [name] : []))

interface Repeated {
  readonly name: string
  readonly everyMs: number
}

export function beginRun(runs: Map<string, JobRun>, { name, everyMs }: Repeated, now: Date): JobRun {
  const run = runs.get(name) ?? {
    ...{ everyMs, firstBeganAt: now, beganAt: undefined, done: 0, failed: 0, tookMs: 0 },
    ...{ lastAt: undefined, lastDoneAt: undefined },
  }
  run.beganAt = now
  runs.set(name, run)
  return run
}

export function endRun(run: JobRun, beganAtMs: number, now: Date, isDone: boolean): void {
  run[isDone ? 'done' : 'failed']++
  run.tookMs += performance.now() - beganAtMs
  run.beganAt = undefined
  run.lastAt = now
  if (isDone) run.lastDoneAt = now
}
