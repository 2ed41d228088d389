import { IconPlugConnectedX } from '@tabler/icons-react'
import { formatDateTime } from '#console/lib/time.ts'
import { Age } from '#console/ui/Age.tsx'
import type { Device } from '#contract/http/device.ts'
import { CONNECTION_STATUS } from '#domain/devices/status.ts'

interface Props {
  readonly device: Device
  readonly hasReading: boolean
}

/** Says that what follows is not how the device is now. Absent while it is connected. */
export function ConnectionNotice({ device: { connStatusId, lastEvent }, hasReading }: Props) {
  if (connStatusId !== CONNECTION_STATUS.offline) return null
  return (
    <div className="connection-notice" role="status">
      <IconPlugConnectedX size={18} aria-hidden />
      {lastEvent === null ? (
        <span>
          <b>This device has never reported.</b> Put its configuration file on it: the settings menu above downloads it.
        </span>
      ) : (
        <span>
          <b>Offline.</b> Last report <Age at={lastEvent} /> ({formatDateTime(lastEvent)}).
          {hasReading && ' The values below are from then.'}
        </span>
      )}
    </div>
  )
}
