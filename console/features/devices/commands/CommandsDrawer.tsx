import { Drawer } from '@mantine/core'
import type { DeviceId } from '#domain/ids.ts'
import { CommandList } from './CommandList.tsx'
import './commands.css'

interface Props {
  readonly deviceId: DeviceId
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** It lists what was sent to the device. */
export function CommandsDrawer({ deviceId, isOpen, onClose }: Props) {
  return (
    <Drawer opened={isOpen} onClose={onClose} size={440} title="Commands">
      <CommandList deviceId={deviceId} />
    </Drawer>
  )
}
