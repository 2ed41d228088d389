import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { beginRun, endRun, failingJobs, type JobRun } from './jobRuns.ts'

const BEGAN = new Date('2026-11-23T12:00:00Z')
const after = (ms: number) => new Date(BEGAN.getTime() + ms)

/** Records the runs of one job, with their ends and results, and says whether it fails at a moment. */
function hourlyJob(everyMs = HOUR_MS) {
  const runs = new Map<string, JobRun>()
  const begin = (at: Date) => beginRun(runs, { name: 'job', everyMs }, at)
  return {
    begin,
    run: (at: Date, isDone: boolean) => endRun(begin(at), performance.now(), at, isDone),
    failing: (at: Date) => failingJobs(runs, at),
  }
}

test('a job that was never done since the start fails only when its time has passed', () => {
  const job = hourlyJob()
  job.run(BEGAN, false)
  job.run(after(MINUTE_MS), false)
  expect(job.failing(after(59 * MINUTE_MS))).toEqual([])
  expect(job.failing(after(62 * MINUTE_MS))).toEqual(['job'])
})

test('a job that was done and fails since is failing when it should have been done again', () => {
  const job = hourlyJob(SECOND_MS)
  job.run(BEGAN, true)
  job.run(after(10 * SECOND_MS), false)
  expect(job.failing(after(20 * SECOND_MS))).toEqual([])
  expect(job.failing(after(2 * MINUTE_MS))).toEqual(['job'])
  job.run(after(3 * MINUTE_MS), true)
  expect(job.failing(after(300 * MINUTE_MS))).toEqual([])
})

test('a job that ended once by a failure and runs on since does not fail', () => {
  const job = hourlyJob(SECOND_MS)
  job.run(BEGAN, false)
  expect(job.failing(after(5 * MINUTE_MS))).toEqual(['job'])
  job.begin(after(5 * MINUTE_MS))
  expect(job.failing(after(5 * MINUTE_MS + SECOND_MS))).toEqual(['job'])
  expect(job.failing(after(7 * MINUTE_MS))).toEqual([])
})
