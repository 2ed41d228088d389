import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { MoreButton, type MoreButtonProps } from './MoreButton.tsx'

interface Props extends Pick<MoreButtonProps, 'of' | 'isInRow' | 'icon' | 'isBusy'> {
  readonly defaultOpened?: boolean
  /** The entries are `MenuItem`s. */
  readonly children: ReactNode
}

export function MoreMenu({ defaultOpened = false, children, ...button }: Props) {
  return (
    <Menu position="bottom-end" defaultOpened={defaultOpened}>
      <Menu.Target>
        <MoreButton {...button} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
