import { type Icon, IconDots } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { PlainIconButton } from '#console/ui/plain/PlainButton.tsx'

export interface MoreButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'aria-label'> {
  /** What the actions are for completes the name for screen readers. */
  readonly of: string
  /** The button of a row has no frame and is as high as those beside it. */
  readonly isInRow?: boolean
  readonly icon?: Icon
  readonly isBusy?: boolean
}

/** It opens the further actions of a row, a list or a page, and looks the same everywhere. */
export function MoreButton({ of, isInRow = false, icon: ButtonIcon = IconDots, ...button }: MoreButtonProps) {
  return (
    <PlainIconButton
      title="More"
      {...button}
      aria-label={`More actions for ${of}`}
      sizePx={isInRow ? 26 : 30}
      hasFrame={!isInRow}
    >
      <ButtonIcon size={16} aria-hidden />
    </PlainIconButton>
  )
}
