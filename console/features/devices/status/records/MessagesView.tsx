import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { ReloadButton } from '#console/features/devices/status/view/ReloadButton.tsx'
import type { RecordsAddress, StatusAddressHook } from '#console/features/devices/status/view/useStatusAddress.ts'
import { useViewActions } from '#console/features/devices/status/view/viewActions.ts'
import { visibleText } from '#console/features/devices/status/view/visibleText.ts'
import type { CsvColumn } from '#console/lib/csv.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { PeriodPicker } from '#console/ui/filter/PeriodPicker.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { exportMessages, listMessages, type MessageRow } from '#contract/http/devices/records.ts'
import { ExportButton } from './ExportButton.tsx'
import { RecordsPanel } from './RecordsPanel.tsx'
import { useRecordPages } from './useRecordPages.ts'
import './records.css'

interface Props {
  readonly device: Device
  readonly address: RecordsAddress
  readonly go: StatusAddressHook['go']
}

const COLUMNS: readonly Column<MessageRow>[] = [
  { id: 'time', header: 'Time', cell: ({ at }) => formatDateTime(at), title: receivedText },
  // The isolation ends the writing direction that a message sets.
  { id: 'message', header: 'Message', cell: ({ msg }) => <bdi className="mono">{visibleText(msg)}</bdi> },
  { id: 'inserted', header: 'Received', cell: ({ inserted }) => formatDateTime(inserted) },
]

const CSV_COLUMNS: readonly CsvColumn<MessageRow>[] = [
  { header: 'Time', cell: ({ at }) => new Date(at) },
  { header: 'Received', cell: ({ inserted }) => new Date(inserted) },
  { header: 'Message', cell: ({ msg }) => msg },
]

export function MessagesView({ device, address, go }: Props) {
  const query = {
    deviceId: device.id,
    dateFrom: address.period.from.toISOString(),
    dateTo: address.period.to.toISOString(),
    ...(address.text === '' ? {} : { text: address.text }),
  }
  const pages = useRecordPages<typeof listMessages, MessageRow>(listMessages, query)
  const actions = useViewActions(
    <>
      <ExportButton call={exportMessages} query={query} columns={CSV_COLUMNS} fileName="msgData" deviceId={device.id} />
      <ReloadButton isReloading={pages.isReloading} onReload={() => void pages.reloadNow()} />
    </>,
  )
  return (
    <>
      {actions}
      <RecordsPanel
        title="Messages"
        noun="messages"
        pages={pages}
        empty={
          address.text === '' ? undefined : (
            <EmptyNote title="No message in this period contains this text">
              <Button variant="default" onClick={() => go({ text: '', period: address.period }, { replace: true })}>
                Show all messages
              </Button>
            </EmptyNote>
          )
        }
        filter={
          <>
            <PeriodPicker value={address.period} onChange={(period) => go({ period })} />
            <FilterText
              className="records-text"
              name="Text"
              placeholder="Text in messages"
              leftSection={<IconSearch size={14} aria-hidden />}
              value={address.text}
              onChange={(text) => go({ text, period: address.period }, { replace: true })}
            />
          </>
        }
      >
        {({ rows, total }) => (
          <div className="records-table message-table">
            <DataTable
              label="Messages"
              columns={COLUMNS}
              rows={rows}
              rowKey={({ at, msg }) => `${at} ${msg}`}
              total={total}
            />
          </div>
        )}
      </RecordsPanel>
    </>
  )
}

function receivedText({ inserted }: MessageRow): string {
  return `Received ${formatDateTime(inserted)}`
}
