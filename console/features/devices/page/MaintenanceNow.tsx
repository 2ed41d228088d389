import { Button } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'
import { maintenanceLabel, useMaintenanceOf } from '#console/deviceParts/useMaintenanceOf.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { endLasting } from '#console/pickers/maintenance/endWindow.ts'
import { endMaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import type { Device } from '#contract/http/devices/devices.ts'

export function MaintenanceNow({ device }: { readonly device: Device }) {
  const lasting = useMaintenanceOf(device)
  const mayEnd = useMay(endMaintenanceWindow.permission) && lasting?.mayChange === true
  usePaletteCommands(
    lasting && mayEnd
      ? [
          {
            actionId: 'maintenance.end',
            label: 'End the maintenance now',
            searchTerms: 'stop window',
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
        Maintenance {maintenanceLabel(lasting)}
      </span>
      {mayEnd && (
        <Button size="compact-xs" variant="default" onClick={() => void endLasting(lasting)}>
          End now
        </Button>
      )}
    </span>
  )
}
