import { formatDateTime } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { statusAsOf, type TimelineItem, type TimelineLane } from './lanes.ts'
import { lengthLabel } from './TimelineLanes.tsx'

interface Row extends TimelineItem {
  readonly lane: string
  /** It names the device where the list is of a whole site. */
  readonly device: string | undefined
  readonly asOf: Address
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'time',
    header: 'Time',
    widthPx: 150,
    cell: ({ fromMs, asOf }) => <Link to={asOf}>{formatDateTime(new Date(fromMs))}</Link>,
    title: () => 'The status as of this moment',
  },
  { id: 'lane', header: 'What', widthPx: 110, cell: ({ lane }) => lane, isDim: true },
  { id: 'text', header: 'Event', cell: ({ text, to }) => (to ? <Link to={to}>{text}</Link> : text) },
  { id: 'length', header: 'How long', widthPx: 130, cell: lengthLabel },
  textColumn('detail', 'Details', ({ detail }) => detail, { isDim: true, leaves: 1 }),
]

const DEVICE_COLUMN: Column<Row> = { id: 'device', header: 'Device', widthPx: 150, cell: ({ device }) => device }

export interface ListedDevice {
  readonly guid: DeviceGuid
  readonly name?: string
  readonly lanes: readonly TimelineLane[]
}

export function TimelineList({ devices }: { readonly devices: readonly ListedDevice[] }) {
  const rows = devices
    .flatMap(({ guid, name, lanes }) =>
      lanes.flatMap(({ title, items }) =>
        items.map(
          (item): Row => ({
            ...item,
            lane: title,
            device: name,
            asOf: statusAsOf(guid, new Date(item.fromMs).toISOString()),
          }),
        ),
      ),
    )
    .toSorted((a, b) => b.fromMs - a.fromMs)
  if (rows.length === 0) return <EmptyNote title="Nothing happened in this period" />
  const [time, ...others] = COLUMNS as [Column<Row>, ...Column<Row>[]]
  const isOfMany = devices.some(({ name }) => name !== undefined)
  return (
    <DataTable
      label="Timeline"
      columns={isOfMany ? [time, DEVICE_COLUMN, ...others] : COLUMNS}
      rows={rows}
      rowKey={({ device = '', key }) => `${device} ${key}`}
    />
  )
}
