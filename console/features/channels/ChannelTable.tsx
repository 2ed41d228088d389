import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { formatMinute } from '#console/lib/time/time.ts'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import type { Channel } from '#contract/http/notifying/channel.ts'
import { KINDS } from '#domain/notifying/channelKinds.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import '#console/ui/Badge.css'

interface Props {
  readonly channels: readonly Channel[]
  readonly onEdit: (channel: Channel) => void
  readonly onTest: (channel: Channel) => void
  readonly onDeliveries: (channel: Channel) => void
  readonly onRotate: (channel: Channel) => void
  readonly onDelete: (channel: Channel) => void
}

const whereTo = ({ settings, secretHost, kind }: Channel): string =>
  settings.recipient || secretHost || settings.address || KINDS[kind].fields.address?.absent || ''

/** Whether it works, by what it took last. */
function State({ channel: { isOn, failure, lastOutcome } }: { readonly channel: Channel }) {
  const [tone, word, Icon] = !isOn
    ? (['off', 'Off', IconPlayerPause] as const)
    : failure !== ''
      ? (['crit', 'Takes nothing', IconAlertTriangleFilled] as const)
      : lastOutcome === null
        ? (['off', 'Not used yet', IconCircleDashed] as const)
        : lastOutcome === 'done'
          ? (['ok', 'Works', IconCircleCheckFilled] as const)
          : (['warn', 'Failed last', IconAlertTriangleFilled] as const)
  return (
    <span className={`badge badge-${tone}`} title={failure}>
      <Icon size={15} aria-hidden />
      {word}
    </span>
  )
}

const COLUMNS: readonly Column<Channel>[] = [
  {
    id: 'name',
    header: 'Name',
    isStrong: true,
    cell: ({ name }) => name,
    title: ({ name }) => name,
  },
  { id: 'kind', header: 'Kind', widthPx: 130, cell: ({ kind }) => KINDS[kind].label },
  {
    id: 'to',
    header: 'To',
    widthPx: 190,
    isDim: true,
    cell: (channel) => whereTo(channel) || UNKNOWN_TEXT,
    title: whereTo,
  },
  {
    id: 'customer',
    header: 'Customer',
    widthPx: 130,
    isDim: true,
    cell: ({ customerName }) => customerName || 'Staff',
    title: ({ customerName }) => customerName,
  },
  { id: 'state', header: 'State', widthPx: 140, cell: (channel) => <State channel={channel} /> },
  {
    id: 'last',
    header: 'Last told',
    widthPx: 130,
    isDim: true,
    cell: ({ lastAt }) => (lastAt ? formatMinute(lastAt) : UNKNOWN_TEXT),
  },
  { id: 'waiting', header: 'Waiting', widthPx: 80, isRight: true, cell: ({ waiting }) => waiting },
]

const STACKED: StackedCell<Channel> = {
  header: 'Channel',
  cell: (channel) => (
    <>
      <b>{channel.name}</b>
      <span className="is-dim">
        {KINDS[channel.kind].label} · {whereTo(channel) || UNKNOWN_TEXT} · {channel.customerName || 'Staff'}
      </span>
      <State channel={channel} />
    </>
  ),
}

/** Channels, whether each works, and what can be done with it. */
export function ChannelTable({ channels, onEdit, onTest, onDeliveries, onRotate, onDelete }: Props) {
  const buttons: Column<Channel> = {
    id: 'buttons',
    header: 'Test, what was told, edit, new key and delete',
    hidesHeader: true,
    staysWhenStacked: true,
    widthPx: 160,
    isRight: true,
    cell: (channel) => (
      <span className="row-buttons">
        <RowButton name="Test" of={channel.name} icon={IconSend} onClick={() => onTest(channel)} />
        <RowButton
          name="What was told"
          of={channel.name}
          icon={IconListDetails}
          onClick={() => onDeliveries(channel)}
        />
        {channel.kind === 'webhook' && (
          <RowButton name="New signing key" of={channel.name} icon={IconKey} onClick={() => onRotate(channel)} />
        )}
        <RowButton name="Edit" of={channel.name} icon={IconPencil} onClick={() => onEdit(channel)} />
        <RowButton name="Delete" of={channel.name} icon={IconTrash} onClick={() => onDelete(channel)} />
      </span>
    ),
  }
  return (
    <DataTable
      label="Channels"
      columns={[...COLUMNS, buttons]}
      stacked={STACKED}
      rows={channels}
      rowKey={({ id }) => id}
      onOpen={onEdit}
      minWidthPx={1140}
    />
  )
}
