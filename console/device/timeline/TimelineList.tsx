import { formatDateTime } from '#console/lib/time/time.ts'
import { Link } from '#console/router/Router.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import type { TimelineItem, TimelineLane } from './lanes.ts'
import { lengthWords } from './TimelineLanes.tsx'

interface Row extends TimelineItem {
  readonly lane: string
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'time', header: 'Time', widthPx: 150, cell: ({ fromMs }) => formatDateTime(new Date(fromMs)) },
  { id: 'lane', header: 'What', widthPx: 110, cell: ({ lane }) => lane, isDim: true },
  { id: 'text', header: 'Event', cell: ({ text, to }) => (to ? <Link to={to}>{text}</Link> : text) },
  { id: 'length', header: 'How long', widthPx: 130, cell: lengthWords },
  {
    id: 'detail',
    header: 'Details',
    cell: ({ detail }) => detail,
    isDim: true,
    leaves: 1,
    title: ({ detail }) => detail,
  },
]

/** The same as words, newest first. */
export function TimelineList({ lanes }: { readonly lanes: readonly TimelineLane[] }) {
  const rows = lanes
    .flatMap(({ title, items }) => items.map((item): Row => ({ ...item, lane: title })))
    .toSorted((a, b) => b.fromMs - a.fromMs)
  if (rows.length === 0) return <EmptyNote title="Nothing happened in this period" />
  return <DataTable label="Timeline" columns={COLUMNS} rows={rows} rowKey={({ key }) => key} />
}
