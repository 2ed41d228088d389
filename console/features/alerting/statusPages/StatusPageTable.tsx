import { IconCircleDashed, IconExternalLink, IconKey, IconLock, IconPencil, IconWorld } from '@tabler/icons-react'
import type { Address as ConsoleAddress } from '#console/router/addressText.ts'
import { Badge } from '#console/ui/Badge.tsx'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { StatusPage } from '#contract/http/alerting/statusPages.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly pages: readonly StatusPage[]
  readonly linkTo: (page: StatusPage) => ConsoleAddress
  readonly onEdit: (page: StatusPage) => void
  readonly onRotate: (page: StatusPage) => void
}

const MODES = {
  off: ['off', 'Off', IconCircleDashed],
  public: ['ok', 'Public', IconWorld],
  secret: ['ok', 'Secret address', IconLock],
} as const

function Mode({ page: { mode } }: { readonly page: StatusPage }) {
  const [tone, word, Icon] = MODES[mode]
  return (
    <Badge tone={tone} icon={Icon}>
      {word}
    </Badge>
  )
}

/** It leaves out the protocol, and shows only enough of a secret address to distinguish it. */
const shortAddress = ({ address, mode, slug }: StatusPage): string =>
  mode === 'public' ? `/status/${slug}` : `/status/${address.slice(address.lastIndexOf('/') + 1).slice(0, 6)}…`

function Address({ page }: { readonly page: StatusPage }) {
  if (page.address === '') return UNKNOWN_TEXT
  return (
    <span className="status-page-address">
      <a
        href={page.address}
        target="_blank"
        rel="noreferrer"
        aria-label={`Open the status page of ${page.customerName}`}
      >
        <span>{shortAddress(page)}</span> <IconExternalLink size={13} aria-hidden />
      </a>
      <CopyButton text={page.address} name={`address of ${page.customerName}`} />
    </span>
  )
}

/** A page without one has the name of its customer. */
const hasOwnTitle = ({ title, customerName }: StatusPage) => title !== customerName

const COLUMNS: readonly Column<StatusPage>[] = [
  { id: 'mode', header: 'Page', widthPx: 150, cell: (page) => <Mode page={page} /> },
  { id: 'address', header: 'Address', widthPx: 230, cell: (page) => <Address page={page} /> },
  textColumn('title', 'Title', ({ title }) => title, { widthPx: 200, leaves: 1, foldsFor: hasOwnTitle, isDim: true }),
  {
    id: 'tag',
    header: 'Displays of',
    widthPx: 120,
    leaves: 2,
    foldsFor: ({ tag }) => tag !== '',
    isDim: true,
    cell: ({ tag }) => tag || 'All',
    title: ({ tag }) => tag,
  },
  {
    id: 'devices',
    header: 'Displays',
    widthPx: 90,
    isRight: true,
    cell: ({ deviceCount }) => `${formatNumber(deviceCount)} active`,
    title: () => 'A status page counts devices whose status is Paired.',
  },
  {
    id: 'subscribers',
    header: 'Subscribers',
    widthPx: 100,
    isRight: true,
    cell: ({ subscriberCount }) => subscriberCount,
  },
]

const STACKED: StackedCell<StatusPage> = {
  header: 'Status page',
  cell: (page, name) => (
    <>
      <b>{name}</b>
      <span className="is-dim">
        {hasOwnTitle(page) && `${page.title} · `}
        {page.deviceCount} displays · {page.subscriberCount} subscribers
      </span>
      <Mode page={page} />
      {page.address !== '' && <Address page={page} />}
    </>
  ),
}

export function StatusPageTable({ pages, linkTo, onEdit, onRotate }: Props) {
  const customer = textColumn('customer', 'Customer', ({ customerName }: StatusPage) => customerName, {
    isStrong: true,
    to: linkTo,
  })
  const buttons = buttonColumn('Edit and more', 84, (page: StatusPage) => (
    <>
      {page.mode === 'secret' && (
        <RowButton name="New address" of={page.customerName} icon={IconKey} onClick={() => onRotate(page)} />
      )}
      <RowButton name="Edit" of={page.customerName} icon={IconPencil} onClick={() => onEdit(page)} />
    </>
  ))
  return (
    <DataTable
      label="Status pages"
      columns={[customer, ...COLUMNS, buttons]}
      stacked={STACKED}
      rows={pages}
      rowKey={({ customerId }) => customerId}
      onOpen={onEdit}
      minWidthPx={1080}
    />
  )
}
