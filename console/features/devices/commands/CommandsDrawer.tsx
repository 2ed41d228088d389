import { Drawer } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useState } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { listDeviceCommands } from '#contract/http/devices/commands.ts'
import { CommandList } from './CommandList.tsx'
import './commands.css'

/** It lists what was sent to the device. The settings menu and the palette open it by its command. */
export function CommandsDrawer() {
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
  return (
    <Drawer
      opened={isOpen}
      onClose={() => setIsOpen(false)}
      position="right"
      size={440}
      title="Commands"
      overlayProps={{ backgroundOpacity: 0.35 }}
    >
      <CommandList deviceId={device.id} />
    </Drawer>
  )
}
