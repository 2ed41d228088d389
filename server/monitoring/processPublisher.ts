import { type ProcessReport, storeProcessReport } from '#server/features/operation/system/processes.store.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import type { JobRunner } from '#server/jobs/JobRunner.ts'
import { isFailing } from '#server/jobs/jobRuns.ts'
import { type Disk, readDisks } from './disks.ts'
import type { FiguresPool } from './systemFigures.store.ts'

/** Somebody who repairs something watches the page, so it must be current. */
const TELL_EVERY_MS = 5_000

export interface ProcessPublisherDeps {
  readonly pool: FiguresPool
  readonly version: string
  readonly roles: readonly string[]
  readonly gateway: Pick<Gateway, 'processId' | 'connectedDevices' | 'waiting'>
  /** The jobs are undefined until they run, and in a process without jobs. */
  readonly background: { readonly jobs: JobRunner | undefined }
  readonly now: () => Date
  readonly folders: Readonly<Record<string, string | undefined>>
  readonly troubles: () => Promise<readonly string[]>
}

/** Stores the state of this process every few seconds for all processes to read. @returns a function that stops it */
export function startProcessPublisher(deps: ProcessPublisherDeps): () => void {
  let isTelling = false
  const tell = async () => {
    if (isTelling) return
    isTelling = true
    // While the database is down nobody can read the state either; /healthz reports that.
    await report(deps)
      .then((told) => storeProcessReport(deps.pool, deps.gateway.processId, told))
      .catch(() => undefined)
    isTelling = false
  }
  void tell()
  const timer = setInterval(tell, TELL_EVERY_MS)
  return () => clearInterval(timer)
}

async function report(deps: ProcessPublisherDeps): Promise<ProcessReport> {
  const { gateway } = deps
  const { jobs } = deps.background
  const [troubles, disks] = await Promise.all([deps.troubles(), readDisks(deps.folders)])
  return {
    version: deps.version,
    roles: [...deps.roles],
    isLeading: jobs?.isLeading() === true,
    connectedDevices: gateway.connectedDevices(),
    memoryBytes: process.memoryUsage().rss,
    reportsWaitSeconds: gateway.waiting().oldestMs / 1000,
    troubles,
    disks: disks.map(({ name, freeBytes, sizeBytes }: Disk) => ({ name, freeBytes, sizeBytes })),
    jobs: [...(jobs?.runs ?? [])].flatMap(([name, run]) => {
      const { lastAt, lastDoneAt } = run
      if (!lastAt) return []
      const succeededAt = lastDoneAt?.toISOString() ?? null
      return [{ name, endedAt: lastAt.toISOString(), succeededAt, isFailing: isFailing(run, deps.now()) }]
    }),
  }
}
