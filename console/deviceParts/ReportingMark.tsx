import { IconClockX, IconFileX } from '@tabler/icons-react'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { clockErrorText } from '#domain/devices/deviceClock.ts'
import '#console/ui/Badge.css'

type Reporting = Pick<Device, 'clockErrorMs' | 'refusedSince'>

/** What is wrong with how a device reports, each in a sentence; none while nothing is. */
export function reportingFaults({ clockErrorMs, refusedSince }: Reporting): readonly string[] {
  return [
    ...(refusedSince === null ? [] : [`Reports refused since ${formatDateTime(refusedSince)}`]),
    ...(clockErrorMs === null ? [] : [`Clock ${clockErrorText(clockErrorMs, new Date())}`]),
  ]
}

/** A small mark beside the connection, because a device that is connected may still say nothing that counts. */
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
