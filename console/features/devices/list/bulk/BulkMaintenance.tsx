import { IconTool } from '@tabler/icons-react'
import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { createWindow } from '#console/pickers/maintenance/createWindow.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { createMaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import type { DeviceId } from '#domain/ids.ts'

const WindowModal = lazyDialog(() =>
  import('#console/pickers/maintenance/WindowModal.tsx').then((part) => part.WindowModal),
)

/** One window covers all selected devices, so it can be changed and ended for all of them at once. */
export function BulkMaintenance({ deviceIds }: { readonly deviceIds: readonly DeviceId[] }) {
  const may = useMay(createMaintenanceWindow.permission)
  const [isOpen, setIsOpen] = useState(false)
  const [first] = deviceIds
  const open = () => (first === undefined ? toasts.warning(messages.noDevicesSelected) : setIsOpen(true))
  usePaletteCommands([
    {
      actionId: 'maintenance.plan',
      id: 'maintenance.plan selected',
      label: `Maintenance of ${deviceIds.length} selected`,
      searchTerms: 'window quiet silence alerts',
      icon: IconTool,
      refused: first === undefined ? messages.noDevicesSelected : undefined,
      run: open,
    },
  ])
  if (!may) return null
  return (
    <>
      <ActionButton icon={IconTool} iconSize={14} onClick={open}>
        Maintenance
      </ActionButton>
      {isOpen && first !== undefined && (
        <WindowModal
          title={`Maintenance of ${deviceIds.length} ${deviceIds.length === 1 ? 'device' : 'devices'}`}
          target={
            deviceIds.length === 1
              ? { kind: 'device', deviceId: first }
              : { kind: 'devices', deviceIds: [...deviceIds] }
          }
          onSubmit={createWindow}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
