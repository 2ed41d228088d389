import { Button } from '@mantine/core'
import { IconCalendarEvent, IconChecks } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { listVisits, type Visit } from '#contract/http/devices/visits.ts'
import './visits.css'

const VisitRecordModal = lazyDialog(() => import('./VisitRecordModal.tsx').then((part) => part.VisitRecordModal))
const LAST_MADE = 3

const DeviceCodeModal = lazyDialog(() => import('./DeviceCodeModal.tsx').then((part) => part.DeviceCodeModal))

interface Props {
  readonly device: Device
  /** Absent for a user who may only read. */
  readonly onOpen: ((visit: number | 'new') => void) | undefined
}

/** Who goes there next, who was there, and the page for whoever stands in front of the device. */
export function PlannedVisits({ device, onOpen }: Props) {
  const visits = useCall(listVisits, { deviceId: device.id })
  const [isCodeOpen, setCodeOpen] = useState(false)
  const [read, setRead] = useState<Visit>()
  const made = (visits.data ?? []).filter(({ state }) => state === 'done').slice(0, LAST_MADE)
  const planned = (visits.data ?? []).filter(({ state }) => state === 'planned').reverse()
  return (
    <ul className="planned-visits" aria-label="Visits">
      {planned.map(({ id, technicianName, startDt, endDt, bring }) => (
        <li key={id}>
          <IconCalendarEvent size={16} aria-hidden />
          <span>
            {technicianName} goes there from {formatMinute(startDt)} to {formatMinute(endDt)}
            {bring && `. To bring: ${bring}`}
          </span>
          {onOpen && (
            <Button variant="subtle" size="compact-xs" onClick={() => onOpen(id)}>
              Change
            </Button>
          )}
        </li>
      ))}
      {made.map((visit) => (
        <li key={visit.id}>
          <IconChecks size={16} aria-hidden />
          <span>
            {visit.technicianName} was there {formatMinute(visit.startDt)}
          </span>
          <Button variant="subtle" size="compact-xs" onClick={() => setRead(visit)}>
            {visit.photos > 0 ? `Show visit and photos (${visit.photos})` : 'Show visit'}
          </Button>
        </li>
      ))}
      <li>
        {read && <VisitRecordModal visit={read} onClose={() => setRead(undefined)} />}
        {onOpen && (
          <Button variant="subtle" size="compact-xs" onClick={() => onOpen('new')}>
            Plan a visit
          </Button>
        )}
        <Link to={address('/visits/$guid', { guid: device.guid })}>Open the page for visits</Link>
        <Button variant="subtle" size="compact-xs" onClick={() => setCodeOpen(true)}>
          Show its QR code
        </Button>
        {isCodeOpen && <DeviceCodeModal device={device} onClose={() => setCodeOpen(false)} />}
      </li>
    </ul>
  )
}
