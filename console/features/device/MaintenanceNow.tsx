import { Button } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'
import { maintenanceWords, useMaintenanceOf } from '#console/device/useMaintenanceOf.ts'
import { useMay } from '#console/lib/call/session.ts'
import { useOffers } from '#console/lib/offers/offers.ts'
import { endLasting } from '#console/pickers/maintenance/endWindow.ts'
import type { Device } from '#contract/http/device.ts'
import { endMaintenanceWindow } from '#contract/http/maintenance/maintenanceWindow.ts'

/** That the device is under maintenance: until when and why, and the way to end it. */
export function MaintenanceNow({ device }: { readonly device: Device }) {
  const lasting = useMaintenanceOf(device)
  const mayEnd = useMay(endMaintenanceWindow.permission) && lasting?.mayChange === true
  useOffers(
    lasting && mayEnd
      ? [
          {
            deed: 'maintenance.end',
            label: 'End the maintenance now',
            otherWords: 'stop window',
            icon: IconTool,
            run: () => void endLasting(lasting),
          },
        ]
      : [],
  )
  if (!lasting) return null
  return (
    <span className="device-maintenance">
      <IconTool size={15} aria-hidden />
      <span className="device-maintenance-words" title={lasting.reason}>
        Maintenance {maintenanceWords(lasting)}
      </span>
      {mayEnd && (
        <Button size="compact-xs" variant="default" onClick={() => void endLasting(lasting)}>
          End now
        </Button>
      )}
    </span>
  )
}
