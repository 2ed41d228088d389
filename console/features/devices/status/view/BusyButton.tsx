import { Button, type ButtonProps, Loader } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props extends Pick<ButtonProps, 'leftSection'> {
  /** Turns the sign into a spinner and ignores presses. */
  readonly isBusy: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A button that is never switched off while it works: that would take the keyboard's focus from it. */
export function BusyButton({ isBusy, leftSection, onClick, children }: Props) {
  return (
    <Button
      variant="default"
      leftSection={isBusy ? <Loader size={16} aria-hidden /> : leftSection}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={() => {
        if (!isBusy) onClick()
      }}
    >
      {children}
    </Button>
  )
}
