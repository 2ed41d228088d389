import { IconHistory } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const AsOfPopover = lazyDialog(() => import('./AsOfPopover.tsx').then((part) => part.AsOfPopover))

interface Props {
  /** The shown moment as text; absent means now. */
  readonly shown?: string
  readonly onChoose: (at: Date) => void
}

export function AsOfButton({ shown, onChoose }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <ActionButton
        ref={button}
        icon={IconHistory}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={shown && `As of ${shown}. Choose another moment`}
        onClick={() => setIsOpen(!isOpen)}
      >
        {shown ?? 'View at time'}
      </ActionButton>
      <AsOfPopover
        button={button}
        {...(shown && { shown })}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onChoose={onChoose}
      />
    </>
  )
}
