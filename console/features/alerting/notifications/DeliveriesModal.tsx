import { Modal } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { type Channel, type Delivery, listDeliveries, replayDelivery } from '#contract/http/alerting/channels.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { channelMessages } from './channelMessages.ts'
import { OutcomeBadge } from './OutcomeBadge.tsx'
import './channels.css'

interface Props {
  readonly channel: Channel
  readonly onClose: () => void
}

const Outcome = ({ outcome, status, reason }: Delivery) => (
  <OutcomeBadge outcome={outcome} status={status} reason={reason} />
)

function whatWas({ kind, incidentId, toldCount }: Delivery) {
  if (kind === 'test') return 'Test'
  if (incidentId === null) return `Digest of ${formatNumber(toldCount)}`
  return <Link to={incidentPage(incidentId)}>Incident {incidentId}</Link>
}

const COLUMNS: readonly Column<Delivery>[] = [
  { id: 'at', header: 'When', widthPx: 140, cell: ({ at }) => formatDateTime(at) },
  { id: 'what', header: 'What', widthPx: 130, cell: whatWas },
  { id: 'outcome', header: 'Outcome', widthPx: 160, cell: Outcome },
  {
    id: 'reason',
    header: 'Response',
    isDim: true,
    cell: ({ reason, answer }) => reason || answer || UNKNOWN_TEXT,
    title: ({ reason, answer }) => reason || answer,
  },
]

const STACKED: StackedCell<Delivery> = {
  header: 'Deliveries',
  cell: (delivery) => (
    <>
      <span>{formatDateTime(delivery.at)}</span>
      <span>{whatWas(delivery)}</span>
      {Outcome(delivery)}
      <span className="is-dim">{delivery.reason || delivery.answer}</span>
    </>
  ),
}

export function DeliveriesModal({ channel, onClose }: Props) {
  const deliveries = useCall(listDeliveries, { id: channel.id })
  const replay = useChange(replayDelivery, { onDone: () => toasts.success(channelMessages.replayed) })
  const buttons = buttonColumn(
    'Send again',
    44,
    ({ incidentId }: Delivery) =>
      incidentId !== null && (
        <RowButton
          name="Send again"
          of={`incident ${incidentId}`}
          icon={IconRepeat}
          onClick={() => replay.mutate({ body: { id: channel.id, incidentId } })}
        />
      ),
  )
  return (
    <Modal opened onClose={onClose} title={`Deliveries of ${channel.name}`} size={900}>
      <AsyncView query={deliveries} empty={<EmptyNote title="No deliveries in the last 90 days" />}>
        {(rows) => (
          <div className="channel-deliveries">
            <DataTable
              label="Deliveries"
              columns={[...COLUMNS, buttons]}
              stacked={STACKED}
              rows={rows}
              rowKey={({ id }) => id}
              minWidthPx={720}
            />
          </div>
        )}
      </AsyncView>
    </Modal>
  )
}
