import { Button } from '@mantine/core'
import { IconCalendar, IconCamera } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useMay } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { NoticeBox } from '#console/ui/NoticeBox.tsx'
import { EmptyNote, FailedNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { listVisits, newCalendarAddress, type Visit } from '#contract/http/devices/visits.ts'
import { keepPages } from './keepPages.ts'
import { scannedDevice } from './scannedDevice.ts'
import { UnsentVisits } from './UnsentVisits.tsx'
import { useKeptCall } from './useKeptCall.ts'
import './visits.css'

const QrScanner = lazyPart(() => import('#console/ui/scan/QrScanner.tsx').then((part) => part.QrScanner))
const CalendarModal = lazyDialog(() => import('./CalendarModal.tsx').then((part) => part.CalendarModal))

const toVisit = ({ deviceGuid }: Visit) => address('/visits/$guid', { guid: deviceGuid })

const COLUMNS: readonly Column<Visit>[] = [
  { id: 'device', header: 'Device', isStrong: true, cell: ({ deviceName }) => deviceName, to: toVisit },
  { id: 'address', header: 'Address', cell: (visit) => visit.address },
  { id: 'start', header: 'From', widthPx: 122, cell: ({ startDt }) => formatMinute(startDt) },
  { id: 'end', header: 'To', widthPx: 122, leaves: 2, cell: ({ endDt }) => formatMinute(endDt) },
  { id: 'technician', header: 'Technician', widthPx: 180, cell: ({ technicianName }) => technicianName },
  { id: 'bring', header: 'To bring', leaves: 1, cell: ({ bring }) => bring },
]

const STACKED: StackedCell<Visit> = {
  header: 'Visit',
  cell: (visit) => (
    <>
      <b>{visit.deviceName}</b>
      <span>{visit.address}</span>
      <span>
        {formatMinute(visit.startDt)} – {formatMinute(visit.endDt)}
      </span>
      <span className="is-dim">{[visit.technicianName, visit.bring].filter(Boolean).join(' · ')}</span>
    </>
  ),
}

/** The page is loaded whole, because only a page that is loaded at this address may use the camera. */
const scan = () => window.location.assign(address('/visits', { scan: true }))

function Scanner({ onEnd }: { readonly onEnd: () => void }) {
  const navigate = useNavigate()
  const [isForeign, setForeign] = useState(false)
  const open = (text: string) => {
    const guid = scannedDevice(text)
    setForeign(guid === undefined)
    if (guid !== undefined) navigate(address('/visits/$guid', { guid }))
  }
  return isForeign ? (
    <NoticeBox icon={IconCamera}>
      This code is not of a device.{' '}
      <Button variant="subtle" size="compact-xs" onClick={() => setForeign(false)}>
        Scan again
      </Button>
    </NoticeBox>
  ) : (
    <QrScanner cancel="Choose from the list" onRead={open} onCancel={onEnd} />
  )
}

/** The planned visits, also without network. */
export function VisitsScreen() {
  const { values, unread, change } = useAddress('/visits')
  const mayPlan = useMay(newCalendarAddress.permission)
  const [isCalendarOpen, setCalendarOpen] = useState(false)
  const mine = values.whose !== 'all' && mayPlan
  const visits = useKeptCall(listVisits, mine ? { mine } : {}, { keepsPrevious: true })
  useEffect(() => void keepPages(), [])
  return (
    <Screen
      title="Visits"
      unread={unread}
      actions={
        <>
          {mayPlan && (
            <ActionButton icon={IconCalendar} onClick={() => setCalendarOpen(true)}>
              Calendar address
            </ActionButton>
          )}
          {window.isSecureContext && (
            <ActionButton icon={IconCamera} isMain onClick={scan}>
              Scan a device
            </ActionButton>
          )}
        </>
      }
    >
      <UnsentVisits />
      {values.scan && <Scanner onEnd={() => change({ scan: undefined }, { replace: true })} />}
      {!window.isSecureContext && (
        <NoticeBox icon={IconCamera}>
          Without HTTPS the browser lets no page use the camera or open without network. Choose the device from a list.
        </NoticeBox>
      )}
      {mayPlan && (
        <div className="visits-whose">
          <Toggle
            label="Only mine"
            isOn={mine}
            stateText=""
            onChange={(isMine) => change({ whose: isMine ? undefined : 'all' })}
          />
        </div>
      )}
      <Panel>
        <PlannedVisits visits={visits} />
      </Panel>
      <CalendarModal isOpen={isCalendarOpen} onClose={() => setCalendarOpen(false)} />
    </Screen>
  )
}

function PlannedVisits({ visits }: { readonly visits: ReturnType<typeof useKeptCall<typeof listVisits>> }) {
  if (visits.data?.length === 0) {
    return (
      <EmptyNote title="No visit is planned">
        <p>Plan one on the Maintenance tab of a device, or on the page of an incident.</p>
      </EmptyNote>
    )
  }
  if (visits.data) {
    return (
      <DataTable
        label="Planned visits"
        columns={COLUMNS}
        rows={visits.data}
        rowKey={({ id }) => id}
        stacked={STACKED}
      />
    )
  }
  return visits.isMissing && visits.live.error ? (
    <FailedNote failure={visits.live.error} onRetry={() => void visits.live.refetch()} />
  ) : (
    <Skeleton />
  )
}
