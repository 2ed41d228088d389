import { compareNames } from '#console/lib/compareNames.ts'
import { Age } from '#console/ui/Age.tsx'
import { Badge } from '#console/ui/Badge.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { SystemProcess } from '#contract/http/operation/system.ts'

type Job = NonNullable<SystemProcess['told']>['jobs'][number]

/** A job that is retried before it is late has not failed yet, and the troubles above do not name it either. */
const isDone = ({ endedAt, succeededAt }: Job) => endedAt === succeededAt

const COLUMNS: readonly Column<Job>[] = [
  textColumn('name', 'Job', ({ name }) => name, { widthPx: 260 }),
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
      <span>{job.name}</span>
      <span className="is-dim">
        ran <Age at={job.endedAt} /> {!isDone(job) && <NotDone job={job} />}
      </span>
    </>
  ),
}

const rank = (job: Job) => (job.isFailing ? 0 : isDone(job) ? 2 : 1)

export function JobTable({ jobs }: { readonly jobs: readonly Job[] }) {
  const rows = jobs.toSorted((one, other) => rank(one) - rank(other) || compareNames(one.name, other.name))
  return <DataTable label="Jobs" columns={COLUMNS} stacked={STACKED} rows={rows} rowKey={({ name }) => name} />
}

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
