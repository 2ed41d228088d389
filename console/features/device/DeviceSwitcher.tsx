import { ActionIcon, Modal, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '#console/lib/session.ts'
import { getDevice } from '#contract/http/device.ts'
import { DeviceSearch } from './DeviceSearch.tsx'
import './switcher.css'

const LABEL = 'Go to a device'

/** From any page to a device by a few letters of its name: the last 15 first, then the whole fleet (P1 §3). */
export function DeviceSwitcher() {
  const mayOpen = useMay(getDevice.permission)
  const [isOpen, setIsOpen] = useState(false)
  // Also while somebody types elsewhere: nothing is typed with this key.
  useHotkeys([['mod+K', () => setIsOpen(mayOpen)]], [])
  if (!mayOpen) return null
  return (
    <>
      <Tooltip label={`${LABEL} (Ctrl K)`}>
        <ActionIcon size={32} aria-label={LABEL} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          <IconSearch size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={LABEL} size={480} centered={false} yOffset="10dvh">
        <DeviceSearch onDone={() => setIsOpen(false)} />
      </Modal>
    </>
  )
}
