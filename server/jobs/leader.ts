import pg from 'pg'
import { tryLockUntilDisconnected } from '../db/advisoryLocks.ts'

const TRY_EVERY_MS = 5_000

export interface Job {
  readonly name: string
  readonly everyMs: number
  /** @param stopped what takes long ends early then, and goes on in another process */
  run(owner: pg.Client, now: Date, stopped: AbortSignal): Promise<void>
}

export interface JobsNeeds {
  readonly ownerUrl: string
  readonly jobs: readonly Job[]
  readonly log: { error(details: object, message: string): void }
  readonly now?: () => Date
}

/**
 * Runs what the clock starts, in one process of all that share the database: whoever holds an advisory lock leads, and
 * loses it with its connection. A job that fails is logged and comes again at its next time.
 */
export function startJobs(needs: JobsNeeds): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const done = lead(needs, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

async function lead(needs: JobsNeeds, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const owner = new pg.Client({ connectionString: needs.ownerUrl, application_name: 'wayside jobs' })
    const lost = new Promise<void>((resolve) => {
      owner.on('error', () => resolve())
      owner.on('end', () => resolve())
    })
    try {
      await owner.connect()
      const { rows } = await owner.query<{ leads: boolean }>(`select ${tryLockUntilDisconnected('lead')} as leads`)
      if (rows[0]?.leads) await Promise.race([runDueJobs(needs, owner, stopped), lost])
    } catch (error) {
      if (!stopped.aborted) needs.log.error({ error: String(error) }, 'jobs: no connection to the database')
    } finally {
      await owner.end().catch(() => undefined)
    }
    await pause(TRY_EVERY_MS, stopped)
  }
}

async function runDueJobs({ jobs, log, now = () => new Date() }: JobsNeeds, owner: pg.Client, stopped: AbortSignal) {
  const nextAt = new Map(jobs.map((job) => [job, 0]))
  while (!stopped.aborted) {
    for (const job of jobs) {
      if (stopped.aborted || (nextAt.get(job) ?? 0) > performance.now()) continue
      nextAt.set(job, performance.now() + job.everyMs)
      try {
        await job.run(owner, now(), stopped)
      } catch (error) {
        log.error({ job: job.name, error: String(error) }, 'a job failed and will be tried again')
        // A lost connection is a lost lock: somebody else may lead already.
        await owner.query('select 1')
      }
    }
    const soonest = Math.min(...nextAt.values()) - performance.now()
    await pause(Math.max(50, soonest), stopped)
  }
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  if (stopped.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    stopped.addEventListener('abort', finish)
  })
}
