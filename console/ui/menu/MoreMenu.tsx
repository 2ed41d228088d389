import type { ReactNode } from 'react'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { MoreButton, type MoreButtonProps } from './MoreButton.tsx'

interface Props extends Pick<MoreButtonProps, 'of' | 'isInRow' | 'icon' | 'isBusy'> {
  /** The entries are `MenuItem`s. */
  readonly children: ReactNode
}

export function MoreMenu({ children, ...button }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <MoreButton {...button} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
