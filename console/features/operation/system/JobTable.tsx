import { compareNames } from '#console/lib/compareNames.ts'
import { Age } from '#console/ui/Age.tsx'
import { Badge } from '#console/ui/Badge.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { SystemProcess } from '#contract/http/operation/system.ts'
import { jobLabel } from './jobLabels.ts'

type Job = NonNullable<SystemProcess['told']>['jobs'][number]

/** A job that is retried before it is late has not failed yet, and the troubles above do not name it either. */
const isDone = ({ endedAt, succeededAt, isFailing }: Job) => !isFailing && endedAt === succeededAt

const COLUMNS: readonly Column<Job>[] = [
  textColumn('name', 'Job', ({ name }) => jobLabel(name), { widthPx: 300 }),
  { id: 'ended', header: 'Ran', widthPx: 130, cell: ({ endedAt }) => <Age at={endedAt} /> },
  {
    id: 'end',
    header: 'How it ended',
    cell: (job) => (isDone(job) ? <span className="dim">done</span> : <NotDone job={job} />),
  },
]

const STACKED: StackedCell<Job> = {
  header: 'Job',
  cell: (job) => (
    <>
      <span>{jobLabel(job.name)}</span>
      <span className="is-dim">
        ran <Age at={job.endedAt} /> {!isDone(job) && <NotDone job={job} />}
      </span>
    </>
  ),
}

/** What failed stands first, then what will be tried again; what is fine is folded. */
export function JobTable({ jobs }: { readonly jobs: readonly Job[] }) {
  const byName = jobs.toSorted((one, other) => compareNames(jobLabel(one.name), jobLabel(other.name)))
  const fine = byName.filter(isDone)
  const others = [...byName.filter(({ isFailing }) => isFailing), ...byName.filter(isToBeRetried)]
  return (
    <>
      {others.length > 0 && <Rows label="Jobs that failed" jobs={others} />}
      {fine.length > 0 && (
        <details className="system-jobs">
          <summary>{fineText(fine.length, others.length)}</summary>
          <Rows label="Jobs that are fine" jobs={fine} />
        </details>
      )}
    </>
  )
}

const isToBeRetried = (job: Job) => !job.isFailing && !isDone(job)

function fineText(fine: number, others: number): string {
  const counted = fine === 1 ? '1 job' : `${fine} jobs`
  return others === 0 && fine > 1 ? `All ${counted} fine` : `${counted} fine`
}

const Rows = ({ label, jobs }: { readonly label: string; readonly jobs: readonly Job[] }) => (
  <DataTable label={label} columns={COLUMNS} stacked={STACKED} rows={jobs} rowKey={({ name }) => name} />
)

function NotDone({ job: { succeededAt, isFailing } }: { readonly job: Job }) {
  const last = succeededAt === null ? 'not done since the start' : <LastDone at={succeededAt} />
  if (!isFailing) return <span className="dim">will be tried again; {last}</span>
  return (
    <span className="system-name">
      <Badge tone="warn">Failed</Badge>
      {last}
    </span>
  )
}

function LastDone({ at }: { readonly at: string }) {
  return (
    <span>
      done last <Age at={at} />
    </span>
  )
}
