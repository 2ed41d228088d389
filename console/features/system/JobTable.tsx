import { Age } from '#console/ui/Age.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import type { SystemProcess } from '#contract/http/system/systemState.ts'
import '#console/ui/Badge.css'

type Job = NonNullable<SystemProcess['told']>['jobs'][number]

const hasFailed = ({ endedAt, succeededAt }: Job) => endedAt !== succeededAt

const COLUMNS: readonly Column<Job>[] = [
  { id: 'name', header: 'Job', widthPx: 260, cell: ({ name }) => name, title: ({ name }) => name },
  { id: 'ended', header: 'Ran', widthPx: 130, cell: ({ endedAt }) => <Age at={endedAt} /> },
  {
    id: 'end',
    header: 'How it ended',
    cell: (job) => (hasFailed(job) ? <Failed job={job} /> : <span className="dim">done</span>),
  },
]

const STACKED: StackedCell<Job> = {
  header: 'Job',
  cell: (job) => (
    <>
      <span>{job.name}</span>
      <span className="is-dim">
        ran <Age at={job.endedAt} /> {hasFailed(job) && <Failed job={job} />}
      </span>
    </>
  ),
}

/** By name, those that failed last time first. */
export function JobTable({ jobs }: { readonly jobs: readonly Job[] }) {
  const rows = jobs.toSorted(
    (one, other) => Number(hasFailed(other)) - Number(hasFailed(one)) || one.name.localeCompare(other.name),
  )
  return <DataTable label="Jobs" columns={COLUMNS} stacked={STACKED} rows={rows} rowKey={({ name }) => name} />
}

function Failed({ job: { succeededAt } }: { readonly job: Job }) {
  return (
    <span className="system-name">
      <span className="badge badge-warn">Failed</span>
      {succeededAt === null ? (
        'never done since the start'
      ) : (
        <span>
          done last <Age at={succeededAt} />
        </span>
      )}
    </span>
  )
}
