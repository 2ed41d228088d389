import { IconClockX, IconFileX } from '@tabler/icons-react'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { clockErrorText } from '#domain/devices/deviceClock.ts'
import '#console/ui/Badge.css'

type Reporting = Pick<Device, 'clockErrorMs' | 'refusedSince'>

/** Each fault of how a device reports is one sentence; the list is empty while there is none. */
export function reportingFaults({ clockErrorMs, refusedSince }: Reporting): readonly string[] {
  return [
    ...(refusedSince === null ? [] : [`Reports refused since ${formatDateTime(refusedSince)}`]),
    ...(clockErrorMs === null ? [] : [`Clock ${clockErrorText(clockErrorMs, new Date())}`]),
  ]
}

/** The mark stands beside the connection, because a connected device may still report nothing that counts. */
export function ReportingMark({ device }: { readonly device: Reporting }) {
  const faults = reportingFaults(device)
  if (faults.length === 0) return null
  const Icon = device.refusedSince === null ? IconClockX : IconFileX
  return (
    <span className="badge badge-warn" title={faults.join('. ')}>
      <Icon size={15} role="img" aria-label={faults.join('. ')} />
    </span>
  )
}
