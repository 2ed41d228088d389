import { ActionIcon, Modal, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { AddDeviceModal } from '#console/features/devices/AddDeviceModal.tsx'
import { NotificationSettingsModal } from '#console/features/notifications/NotificationSettingsModal.tsx'
import { readAs } from '#console/lib/call/plainContract.ts'
import { usePathName } from '#console/router/Router.tsx'
import { deviceGuidValue } from '#contract/call/values.ts'
import { KeysModal } from './KeysModal.tsx'
import { PaletteSearch } from './PaletteSearch.tsx'
import { asksForKeys } from './questionMark.ts'
import { useKeysBefore } from './useKeysBefore.ts'
import type { PaletteDialog } from './usePaletteItems.ts'
import './palette.css'

const LABEL = 'Search and commands'

/** From any page to a device, a page or an action by a few letters (Ctrl K), and the list of keys (?). */
export function CommandPalette() {
  const [isOpen, setIsOpen] = useState(false)
  const [dialog, setDialog] = useState<PaletteDialog>()
  const [place, setPlace] = useState<string>()
  const guid = readAs(deviceGuidValue, usePathName('guid')?.toLowerCase())

  const keysBefore = useKeysBefore()

  const open = () => {
    keysBefore.begin()
    setPlace(undefined)
    setDialog(undefined)
    setIsOpen(true)
  }
  // Also while somebody types elsewhere: nothing is typed with this key.
  useHotkeys([['mod+K', open]], [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!asksForKeys(event)) return
      event.preventDefault()
      setDialog('keys')
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  const close = () => {
    keysBefore.end()
    setIsOpen(false)
  }
  const closeDialog = () => setDialog(undefined)
  return (
    <>
      <Tooltip label={`${LABEL} (Ctrl K)`}>
        <ActionIcon size={32} aria-label={LABEL} aria-haspopup="dialog" onClick={open}>
          <IconSearch size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Modal
        opened={isOpen}
        onClose={close}
        title={LABEL}
        size={520}
        centered={false}
        yOffset="10dvh"
        returnFocus={place === undefined}
        onExitTransitionEnd={() => {
          if (place !== undefined) document.querySelector<HTMLElement>(place)?.focus()
        }}
      >
        <PaletteSearch
          guid={guid}
          typedBefore={keysBefore.end}
          onDone={close}
          onDialog={(next) => {
            close()
            setDialog(next)
          }}
          onPlace={(selector) => {
            setPlace(selector)
            close()
          }}
        />
      </Modal>
      <KeysModal isOpen={dialog === 'keys'} onClose={closeDialog} />
      <AddDeviceModal isOpen={dialog === 'addDevice'} onClose={closeDialog} />
      <NotificationSettingsModal isOpen={dialog === 'notifications'} onClose={closeDialog} />
    </>
  )
}
