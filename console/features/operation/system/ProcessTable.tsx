import { Age } from '#console/ui/Age.tsx'
import { Badge } from '#console/ui/Badge.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { SystemProcess } from '#contract/http/operation/system.ts'
import { formatBytes } from '#domain/units/bytes.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'

/** Eight characters distinguish a handful of processes. */
export const shortId = (id: string) => id.slice(0, 8)

const ALL_ROLES = 3
const rolesOf = ({ told }: SystemProcess) =>
  told === null ? UNKNOWN_TEXT : told.roles.length === ALL_ROLES ? 'all' : told.roles.join(', ')

const COLUMNS: readonly Column<SystemProcess>[] = [
  { id: 'version', header: 'Version', widthPx: 100, cell: ({ told }) => told?.version ?? UNKNOWN_TEXT },
  textColumn('roles', 'Roles', rolesOf, { widthPx: 150 }),
  { id: 'started', header: 'Started', widthPx: 120, cell: ({ startedAt }) => <Age at={startedAt} /> },
  {
    id: 'devices',
    header: 'Devices',
    widthPx: 90,
    isRight: true,
    cell: ({ told }) => (told ? formatNumber(told.connectedDevices) : UNKNOWN_TEXT),
  },
  {
    id: 'memory',
    header: 'Memory',
    widthPx: 100,
    isRight: true,
    cell: ({ told }) => (told ? formatBytes(told.memoryBytes) : UNKNOWN_TEXT),
  },
  textColumn('disks', 'Free on its disks', disksOf),
]

function disksOf({ told }: SystemProcess): string {
  if (told === null || told.disks.length === 0) return UNKNOWN_TEXT
  return told.disks
    .map(({ name, freeBytes, sizeBytes }) => `${name} ${formatBytes(freeBytes)} of ${formatBytes(sizeBytes)}`)
    .join(' · ')
}

const NAME: Column<SystemProcess> = {
  id: 'process',
  header: 'Server',
  widthPx: 170,
  cell: (process) => <Name process={process} />,
}

const STACKED: StackedCell<SystemProcess> = {
  header: 'Server',
  cell: (process) => (
    <>
      <Name process={process} />
      <span className="is-dim">
        {process.told?.version ?? UNKNOWN_TEXT} · roles: {rolesOf(process)} · started <Age at={process.startedAt} />
      </span>
      <span className="is-dim">
        Devices {process.told ? formatNumber(process.told.connectedDevices) : UNKNOWN_TEXT} · Memory{' '}
        {process.told ? formatBytes(process.told.memoryBytes) : UNKNOWN_TEXT}
      </span>
      <span className="is-dim">{disksOf(process)}</span>
    </>
  ),
}

export function ProcessTable({ processes }: { readonly processes: readonly SystemProcess[] }) {
  return (
    <DataTable
      label="Servers"
      columns={[NAME, ...COLUMNS]}
      stacked={STACKED}
      rows={processes}
      rowKey={({ id }) => id}
    />
  )
}

function Name({ process: { id, told } }: { readonly process: SystemProcess }) {
  return (
    <span className="system-name">
      <code className="mono">{shortId(id)}</code>
      {told?.isLeading && <Badge tone="brand">Leader</Badge>}
      {told === null && <Badge tone="off">No report yet</Badge>}
    </span>
  )
}
