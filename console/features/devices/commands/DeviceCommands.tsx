import { IconListDetails } from '@tabler/icons-react'
import { useState } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { listDeviceCommands } from '#contract/http/devices/commands.ts'

const CommandsDrawer = lazyDialog(() => import('./CommandsDrawer.tsx').then((part) => part.CommandsDrawer))

/** The settings menu and the palette open the drawer by its command. */
export function DeviceCommands() {
  const device = useOpenDevice()
  const mayList = useMay(listDeviceCommands.permission)
  const [isOpen, setIsOpen] = useState(false)
  usePaletteCommands([
    {
      actionId: 'device.commands',
      label: 'Commands of this device',
      searchTerms: 'outcome sent history',
      icon: IconListDetails,
      run: () => setIsOpen(true),
    },
  ])
  if (!mayList) return null
  return <CommandsDrawer deviceId={device.id} isOpen={isOpen} onClose={() => setIsOpen(false)} />
}
