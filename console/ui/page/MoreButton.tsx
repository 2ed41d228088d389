import { IconDots } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { PlainIconButton } from '#console/ui/plain/PlainButton.tsx'

/** @param more the properties that the menu gives its button */
export function MoreButton(more: ComponentPropsWithRef<'button'>) {
  return (
    <PlainIconButton {...more} aria-label="More" title="More" sizePx={30} hasFrame>
      <IconDots size={16} aria-hidden />
    </PlainIconButton>
  )
}
