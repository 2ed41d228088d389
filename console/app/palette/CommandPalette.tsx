import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart, useFirstUse } from '#console/ui/lazyPart.tsx'
import type { PaletteDialogsProps } from './PaletteDialogs.tsx'
import { useKeys } from './useKeys.ts'
import { useKeysBefore } from './useKeysBefore.ts'
import type { PaletteDialog } from './usePaletteItems.ts'
import './paletteField.css'

const LABEL = 'Search and commands'
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform)

const PaletteDialogs = lazyPart<PaletteDialogsProps>(() =>
  import('./PaletteDialogs.tsx').then((part) => part.PaletteDialogs),
)

/** It leads from any page to a device, a page, an action or an answer by a few letters (Ctrl K). */
export function CommandPalette() {
  const [isOpen, setIsOpen] = useState(false)
  const [dialog, setDialog] = useState<PaletteDialog>()
  const [isHere, reach] = useFirstUse(PaletteDialogs)
  const keysBefore = useKeysBefore()

  const open = () => {
    keysBefore.begin()
    setDialog(undefined)
    setIsOpen(true)
    void reach()
  }
  useKeys({
    search: open,
    keys: () => {
      setDialog('keys')
      void reach()
    },
  })

  return (
    <>
      <button
        type="button"
        className="palette-field"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        <IconSearch size={16} stroke={1.7} aria-hidden />
        <span className="palette-field-words">{LABEL}</span>
        <kbd aria-hidden>{IS_APPLE ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {isHere && (
        <PaletteDialogs
          label={LABEL}
          isOpen={isOpen}
          dialog={dialog}
          typedBefore={keysBefore.end}
          onClose={() => {
            keysBefore.end()
            setIsOpen(false)
          }}
          onDialog={setDialog}
        />
      )}
    </>
  )
}
