import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { kitPart } from '#console/ui/kit/kitPart.tsx'
import { useFirstUse } from '#console/ui/lazyPart.tsx'
import { Hint } from '#console/ui/plain/Hint.tsx'
import { PlainIconButton } from '#console/ui/plain/PlainButton.tsx'
import type { PaletteDialogsProps } from './PaletteDialogs.tsx'
import { asksForKeys } from './questionMark.ts'
import { useKeysBefore } from './useKeysBefore.ts'
import type { PaletteDialog } from './usePaletteItems.ts'

const LABEL = 'Search and commands'

const PaletteDialogs = kitPart<PaletteDialogsProps>(() =>
  import('./PaletteDialogs.tsx').then((part) => part.PaletteDialogs),
)

/** From any page to a device, a page or an action by a few letters (Ctrl K), and the list of keys (?). */
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
  const onKey = (event: KeyboardEvent) => {
    // Also while somebody types elsewhere: nothing is typed with this key.
    if (isPaletteKey(event)) open()
    else if (asksForKeys(event)) {
      setDialog('keys')
      void reach()
    } else return
    event.preventDefault()
  }
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })

  return (
    <>
      <Hint label={`${LABEL} (Ctrl K)`}>
        <PlainIconButton aria-label={LABEL} aria-haspopup="dialog" onClick={open}>
          <IconSearch size={18} stroke={1.7} aria-hidden />
        </PlainIconButton>
      </Hint>
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

const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'
