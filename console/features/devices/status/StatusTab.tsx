import { SegmentedControl } from '@mantine/core'
import { startTransition, useCallback, useState } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { AddressNote } from '#console/ui/page/AddressNote.tsx'
import { StatusDashboard } from './dashboard/StatusDashboard.tsx'
import { STATUS_VIEWS } from './view/statusAddress.ts'
import { useStatusAddress } from './view/useStatusAddress.ts'
import { ViewActions } from './view/viewActions.ts'
import './dashboard/status.css'

const PastDashboard = lazyPart(() => import('./past/PastDashboard.tsx').then((part) => part.PastDashboard))
const RawDataView = lazyPart(() => import('./records/RawDataView.tsx').then((part) => part.RawDataView))
const MessagesView = lazyPart(() => import('./records/MessagesView.tsx').then((part) => part.MessagesView))
const TimelineView = lazyPart(() => import('./view/TimelineView.tsx').then((part) => part.TimelineView))

/** The status of a device has its current tiles, its stored reports, and its messages (rules/lists 10). */
export function StatusTab() {
  const device = useOpenDevice()
  const { address, unread, open, go } = useStatusAddress()
  const [actions, setActions] = useState<HTMLElement | null>(null)
  // The buttons may appear after their view.
  const placeActions = useCallback((place: HTMLElement | null) => startTransition(() => setActions(place)), [])
  return (
    <>
      <AddressNote unread={unread} />
      <div className="status-views">
        <SegmentedControl
          className="status-toggle"
          size="xs"
          withItemsBorders={false}
          aria-label="View"
          data={[...STATUS_VIEWS]}
          value={address.view}
          onChange={open}
        />
        <div className="status-actions" ref={placeActions} />
      </div>
      <ViewActions.Provider value={actions}>
        {address.view === 'dashboard' &&
          (address.at ? (
            <PastDashboard key={device.id} device={device} at={address.at} go={(at) => go({ at })} />
          ) : (
            <StatusDashboard key={device.id} device={device} onChooseMoment={(at) => go({ at })} />
          ))}
        {address.view === 'raw' && <RawDataView key={device.id} device={device} address={address} go={go} />}
        {address.view === 'messages' && <MessagesView key={device.id} device={device} address={address} go={go} />}
        {address.view === 'timeline' && <TimelineView key={device.id} device={device} address={address} go={go} />}
      </ViewActions.Provider>
    </>
  )
}
