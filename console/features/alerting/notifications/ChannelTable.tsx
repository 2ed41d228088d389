import {
  IconAlertTriangleFilled,
  IconArrowBackUp,
  IconCircleCheckFilled,
  IconKey,
  IconListDetails,
  IconMailQuestion,
  IconPencil,
  IconPlayerPause,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { Age } from '#console/ui/Age.tsx'
import { Badge } from '#console/ui/Badge.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { MoreMenu } from '#console/ui/menu/MoreMenu.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { Channel } from '#contract/http/alerting/channels.ts'
import { isInboundKind, KINDS } from '#domain/notifications/channelKinds.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { channelMessages } from './channelMessages.ts'
import { OutcomeBadge } from './OutcomeBadge.tsx'

interface Props {
  readonly channels: readonly Channel[]
  readonly linkTo: (channel: Channel) => Address
  readonly onEdit: (channel: Channel) => void
  readonly onTest: (channel: Channel) => void
  readonly onDeliveries: (channel: Channel) => void
  readonly onRotate: (channel: Channel) => void
  readonly onInbound: (channel: Channel) => void
  readonly onDelete: (channel: Channel) => void
}

const whereTo = ({ settings, secretHost, kind }: Channel): string =>
  settings.recipient || secretHost || settings.address || KINDS[kind].fields.address?.absent || ''

function State({ channel: { isOn, failure, awaitsRecipient } }: { readonly channel: Channel }) {
  const [tone, word, Icon] = !isOn
    ? (['off', 'Off', IconPlayerPause] as const)
    : awaitsRecipient
      ? (['warn', 'Not confirmed', IconMailQuestion] as const)
      : failure !== ''
        ? (['crit', 'Failing', IconAlertTriangleFilled] as const)
        : (['ok', 'On', IconCircleCheckFilled] as const)
  return (
    <Badge tone={tone} icon={Icon} title={awaitsRecipient ? channelMessages.awaitsRecipient : failure}>
      {word}
    </Badge>
  )
}

function LastDelivery({ channel: { lastAt, lastOutcome, failure } }: { readonly channel: Channel }) {
  if (lastAt === null) return <span className="dim">Nothing sent yet</span>
  return (
    <span className="channel-last">
      <OutcomeBadge outcome={lastOutcome} reason={failure} />
      <Age at={lastAt} />
    </span>
  )
}

const lastTitle = (channel: Channel) =>
  channel.lastAt === null
    ? ''
    : [`${formatDateTime(channel.lastAt)} to ${whereTo(channel) || UNKNOWN_TEXT}`, channel.failure]
        .filter(Boolean)
        .join('. ')

const COLUMNS: readonly Column<Channel>[] = [
  { id: 'kind', header: 'Kind', widthPx: 120, leaves: 2, cell: ({ kind }) => KINDS[kind].label },
  {
    id: 'to',
    header: 'To',
    widthPx: 150,
    isDim: true,
    cell: (channel) => whereTo(channel) || UNKNOWN_TEXT,
    title: whereTo,
  },
  {
    id: 'customer',
    header: 'Customer',
    widthPx: 120,
    leaves: 1,
    isDim: true,
    cell: ({ customerName }) => customerName || 'Staff',
    title: ({ customerName }) => customerName,
  },
  { id: 'state', header: 'State', widthPx: 124, cell: (channel) => <State channel={channel} /> },
  {
    id: 'last',
    header: 'Last delivery',
    widthPx: 210,
    cell: (channel) => <LastDelivery channel={channel} />,
    title: lastTitle,
  },
  { id: 'waiting', header: 'Waiting', widthPx: 80, leaves: 3, isRight: true, cell: ({ waiting }) => waiting },
]

const STACKED: StackedCell<Channel> = {
  header: 'Channel',
  cell: (channel, name) => (
    <>
      <b>{name}</b>
      <span className="is-dim">
        {KINDS[channel.kind].label} · {whereTo(channel) || UNKNOWN_TEXT} · {channel.customerName || 'Staff'}
      </span>
      <State channel={channel} />
      <LastDelivery channel={channel} />
    </>
  ),
}

export function ChannelTable({ channels, linkTo, onEdit, onTest, onDeliveries, onRotate, onInbound, onDelete }: Props) {
  const name = textColumn('name', 'Name', (channel: Channel) => channel.name, { isStrong: true, to: linkTo })
  const buttons = buttonColumn('Send test, edit and more', 180, (channel: Channel) => (
    <>
      <ActionButton
        icon={IconSend}
        variant="subtle"
        aria-label={`Send test to ${channel.name}`}
        onClick={() => onTest(channel)}
      >
        Send test
      </ActionButton>
      <RowButton name="Edit" of={channel.name} icon={IconPencil} onClick={() => onEdit(channel)} />
      <MoreMenu of={channel.name} isInRow>
        <MenuItem icon={IconListDetails} onClick={() => onDeliveries(channel)}>
          Deliveries
        </MenuItem>
        {channel.kind === 'webhook' && (
          <MenuItem icon={IconKey} onClick={() => onRotate(channel)}>
            New signing key
          </MenuItem>
        )}
        {isInboundKind(channel.kind) && (
          <MenuItem icon={IconArrowBackUp} onClick={() => onInbound(channel)}>
            Incoming webhook
          </MenuItem>
        )}
        <Menu.Divider />
        <MenuItem icon={IconTrash} onClick={() => onDelete(channel)}>
          Delete
        </MenuItem>
      </MoreMenu>
    </>
  ))
  return (
    <DataTable
      label="Channels"
      columns={[name, ...COLUMNS, buttons]}
      stacked={STACKED}
      rows={channels}
      rowKey={({ id }) => id}
      onOpen={onEdit}
      minWidthPx={1130}
    />
  )
}
