import { Modal } from '@mantine/core'
import { useState } from 'react'
import { AddDeviceModal } from '#console/features/devices/AddDeviceModal.tsx'
import { NotificationSettingsModal } from '#console/features/notifications/NotificationSettingsModal.tsx'
import { readAs } from '#console/lib/call/plainContract.ts'
import { usePathName } from '#console/router/Router.tsx'
import { deviceGuidValue } from '#contract/call/values.ts'
import { KeysModal } from './KeysModal.tsx'
import { PaletteSearch } from './PaletteSearch.tsx'
import type { PaletteDialog } from './usePaletteItems.ts'
import './palette.css'

export interface PaletteDialogsProps {
  readonly label: string
  readonly isOpen: boolean
  /** What a command has opened in the place of the palette. */
  readonly dialog: PaletteDialog | undefined
  readonly typedBefore: () => string
  readonly onClose: () => void
  readonly onDialog: (dialog: PaletteDialog | undefined) => void
}

export function PaletteDialogs({ label, isOpen, dialog, typedBefore, onClose, onDialog }: PaletteDialogsProps) {
  const [place, setPlace] = useState<string>()
  const guid = readAs(deviceGuidValue, usePathName('guid')?.toLowerCase())
  const closeDialog = () => onDialog(undefined)
  return (
    <>
      <Modal
        opened={isOpen}
        onClose={onClose}
        title={label}
        size={520}
        centered={false}
        yOffset="10dvh"
        returnFocus={place === undefined}
        onExitTransitionEnd={() => {
          if (place !== undefined) document.querySelector<HTMLElement>(place)?.focus()
          setPlace(undefined)
        }}
      >
        <PaletteSearch
          guid={guid}
          typedBefore={typedBefore}
          onDone={onClose}
          onDialog={(next) => {
            onClose()
            onDialog(next)
          }}
          onPlace={(selector) => {
            setPlace(selector)
            onClose()
          }}
        />
      </Modal>
      <KeysModal isOpen={dialog === 'keys'} onClose={closeDialog} />
      <AddDeviceModal isOpen={dialog === 'addDevice'} onClose={closeDialog} />
      <NotificationSettingsModal isOpen={dialog === 'notifications'} onClose={closeDialog} />
    </>
  )
}
