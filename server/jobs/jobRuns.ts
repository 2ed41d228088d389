import { MINUTE_MS } from '#domain/units/time.ts'

/** How a job went in this process. */
export interface JobRun {
  readonly everyMs: number
  /** Of the first run. */
  readonly firstBeganAt: Date
  /** Of the run that is under way. */
  beganAt: Date | undefined
  done: number
  failed: number
  /** Of all runs together. */
  tookMs: number
  lastAt: Date | undefined
  lastDoneAt: Date | undefined
}

export type JobRuns = ReadonlyMap<string, Readonly<JobRun>>

/** A failure that the next try mends is none that somebody has to know of. */
const PATIENCE_MS = MINUTE_MS

/**
 * Whether it failed last time and should have been done meanwhile. Before its time has passed once it is only not done
 * yet; and one that has run for long without failing again, as those do that never end, is well.
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
