import { Button } from '@mantine/core'
import { IconBulbOff } from '@tabler/icons-react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatClock } from '#console/lib/time/time.ts'
import { endEmergency } from '#console/pickers/emergency/endEmergency.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { endEmergencyDark, listEmergencyDark } from '#contract/http/insight/emergencyDark.ts'

/** It says why all displays of a device are dark on purpose, and until when. */
export function EmergencyNow({ device: { id } }: { readonly device: Device }) {
  const { data } = useCall(
    listEmergencyDark,
    { deviceId: id },
    { enabled: useMay(listEmergencyDark.permission), refreshEveryMs: REFRESH_EVERY_MS.besideLive },
  )
  const mayEnd = useMay(endEmergencyDark.permission)
  const last = data?.toSorted((a, b) => a.until.localeCompare(b.until)).at(-1)
  if (!last) return null
  return (
    <span className="device-maintenance">
      <IconBulbOff size={15} aria-hidden />
      <span className="device-maintenance-words" title={last.reason}>
        Emergency dark until {formatClock(last.until)} · {last.reason}
      </span>
      {mayEnd && last.mayEnd && (
        <Button size="compact-xs" variant="default" onClick={() => void endEmergency(last)}>
          End emergency
        </Button>
      )}
    </span>
  )
}
