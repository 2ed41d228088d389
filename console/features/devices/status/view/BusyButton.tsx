import { Button, type ButtonProps, Loader } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props extends Pick<ButtonProps, 'leftSection'> {
  /** The icon turns into a spinner and presses are ignored. */
  readonly isBusy: boolean
  readonly onClick: () => void
  readonly title?: string
  readonly children: ReactNode
}

/** The button is never disabled while it works, because that would take the focus from it. */
export function BusyButton({ isBusy, leftSection, onClick, title, children }: Props) {
  return (
    <Button
      variant="default"
      title={title}
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
