import { IconStarFilled, IconTrash } from '@tabler/icons-react'
import { formatDateTime, formatMinute } from '#console/lib/time/time.ts'
import { Badge } from '#console/ui/Badge.tsx'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import type { Release } from '#contract/http/software/releases.ts'
import { formatBytes } from '#domain/units/bytes.ts'
import { formatNumber } from '#domain/units/numbers.ts'

interface Props {
  readonly releases: readonly Release[]
  readonly onRemove: (release: Release) => void
}

const VERSION: Column<Release> = {
  id: 'version',
  header: 'Version',
  widthPx: 190,
  cell: (release) => <Version release={release} />,
}
const COLUMNS: readonly Column<Release>[] = [
  { id: 'size', header: 'Size', widthPx: 90, isRight: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    id: 'sha256',
    header: 'SHA-256',
    cell: ({ version, sha256 }) => <Checksum version={version} sha256={sha256} />,
    title: ({ sha256 }) => sha256,
  },
  {
    id: 'uploaded',
    header: 'Uploaded',
    widthPx: 270,
    leaves: 1,
    isDim: true,
    cell: ({ uploadedAt, uploadedBy }) => `${formatMinute(uploadedAt)} · ${uploaderText(uploadedBy)}`,
    title: ({ uploadedAt, uploadedBy }) => `${formatDateTime(uploadedAt)} · ${uploaderText(uploadedBy)}`,
  },
  {
    id: 'devices',
    header: 'Devices',
    widthPx: 80,
    isRight: true,
    cell: ({ deviceCount }) => formatNumber(deviceCount),
    title: ({ deviceCount }) => `${formatNumber(deviceCount)} devices run it`,
  },
]

const STACKED: StackedCell<Release> = {
  header: 'Release',
  cell: (release) => (
    <>
      <Version release={release} />
      <Checksum version={release.version} sha256={release.sha256} />
      <span className="is-dim">
        {formatMinute(release.uploadedAt)} · {uploaderText(release.uploadedBy)}
      </span>
      <span className="is-dim">
        {formatBytes(release.bytes)} · Devices {formatNumber(release.deviceCount)}
      </span>
    </>
  ),
}

export function ReleaseTable({ releases, onRemove }: Props) {
  const buttons = buttonColumn('Remove', 52, (release: Release) => (
    <RowButton name="Remove" of={release.version} icon={IconTrash} onClick={() => onRemove(release)} />
  ))
  return (
    <DataTable
      label="Releases"
      columns={[VERSION, ...COLUMNS, buttons]}
      stacked={STACKED}
      rows={releases}
      rowKey={({ id }) => id}
      minWidthPx={820}
    />
  )
}

function Version({ release: { version, isNewest } }: { readonly release: Release }) {
  return (
    <span className="release-version">
      <b>{version}</b>
      {isNewest && (
        <Badge tone="brand" icon={IconStarFilled} iconSize={13} title="Updates go to it unless another is chosen">
          Default target
        </Badge>
      )}
    </span>
  )
}

function Checksum({ version, sha256 }: Pick<Release, 'version' | 'sha256'>) {
  return (
    <span className="release-checksum">
      <code className="mono">{sha256}</code>
      <CopyButton name={`SHA-256 of ${version}`} text={sha256} />
    </span>
  )
}

const uploaderText = (uploadedBy: string) => uploadedBy || 'found in the folder'
