import { Modal } from '@mantine/core'
import { useState } from 'react'
import { AccountDialogs } from '#console/app/account/AccountDialogs.tsx'
import { readAs } from '#console/lib/call/plainContract.ts'
import { usePathName } from '#console/router/Router.tsx'
import { Kit } from '#console/ui/kit/Kit.tsx'
import { deviceGuidValue } from '#contract/call/values.ts'
import { KeysModal } from './KeysModal.tsx'
import { PaletteSearch } from './PaletteSearch.tsx'
import type { PaletteDialog } from './usePaletteItems.ts'
import './palette.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const AddDeviceModal = lazyDialog(() =>
  import('#console/features/devices/list/AddDeviceModal.tsx').then((part) => part.AddDeviceModal),
)

export interface PaletteDialogsProps {
  readonly label: string
  readonly isOpen: boolean
  readonly dialog: PaletteDialog | undefined
  readonly typedBefore: () => string
  readonly onClose: () => void
  readonly onDialog: (dialog: PaletteDialog | undefined) => void
}

interface Afterwards {
  readonly act: () => void
}

export function PaletteDialogs({ label, isOpen, dialog, typedBefore, onClose, onDialog }: PaletteDialogsProps) {
  const [afterwards, setAfterwards] = useState<Afterwards>()
  const guid = readAs(deviceGuidValue, usePathName('guid')?.toLowerCase())
  const closeDialog = () => onDialog(undefined)
  const closeFor = (act?: () => void) => {
    setAfterwards(act && { act })
    onClose()
  }
  return (
    <Kit>
      <Modal
        opened={isOpen}
        onClose={() => closeFor()}
        title={label}
        size={560}
        centered={false}
        yOffset="10dvh"
        // The dialog that follows takes the focus itself.
        returnFocus={afterwards === undefined}
        onExitTransitionEnd={() => {
          setAfterwards(undefined)
          afterwards?.act()
        }}
      >
        <PaletteSearch
          guid={guid}
          typedBefore={typedBefore}
          onClose={closeFor}
          onDialog={(next) => closeFor(() => onDialog(next))}
        />
      </Modal>
      <KeysModal isOpen={dialog === 'keys'} onClose={closeDialog} />
      <AddDeviceModal isOpen={dialog === 'addDevice'} onClose={closeDialog} />
      <AccountDialogs shown={dialog} onClose={closeDialog} />
    </Kit>
  )
}
