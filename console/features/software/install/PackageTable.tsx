import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import type { InstallPackages } from '#contract/http/software/installPackages.ts'
import { formatBytes } from '#domain/units/bytes.ts'

type PackageFile = InstallPackages['files'][number]

const PROCESSORS = { amd64: '64-bit PC (amd64)', arm64: '64-bit ARM (arm64)' } as const
const FORMS = { deb: 'Debian package', 'tar.xz': 'Archive' } as const

const COLUMNS: readonly Column<PackageFile>[] = [
  { id: 'file', header: 'File', cell: (file) => <FileLink file={file} />, title: ({ fileName }) => fileName },
  { id: 'processor', header: 'Processor', widthPx: 180, cell: ({ architecture }) => PROCESSORS[architecture] },
  { id: 'form', header: 'Kind', widthPx: 150, cell: ({ form }) => FORMS[form] },
  { id: 'size', header: 'Size', widthPx: 90, isRight: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    id: 'sha256',
    header: 'SHA-256',
    widthPx: 220,
    leaves: 1,
    cell: (file) => <Checksum file={file} />,
    title: ({ sha256 }) => sha256,
  },
]

const STACKED: StackedCell<PackageFile> = {
  header: 'Package',
  cell: (file) => (
    <>
      <FileLink file={file} />
      <span className="is-dim">
        {PROCESSORS[file.architecture]} · {FORMS[file.form]} · {formatBytes(file.bytes)}
      </span>
      <Checksum file={file} />
    </>
  ),
}

export const PackageTable = ({ files }: { readonly files: readonly PackageFile[] }) => (
  <DataTable
    label="Packages"
    columns={COLUMNS}
    stacked={STACKED}
    rows={files}
    rowKey={({ fileName }) => fileName}
    minWidthPx={820}
  />
)

const FileLink = ({ file: { fileName } }: { readonly file: PackageFile }) => (
  <a href={`/install/${fileName}`} download>
    {fileName}
  </a>
)

const Checksum = ({ file: { fileName, sha256 } }: { readonly file: PackageFile }) => (
  <span className="install-checksum">
    <code className="mono">{sha256}</code>
    <CopyButton name={`SHA-256 of ${fileName}`} text={sha256} />
  </span>
)
