import { Menu, type MenuDropdownProps, type MenuProps } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'
import { Kit } from './Kit.tsx'
import { Standing } from './Standing.tsx'

export { Menu as KitMenu }

export type MenuLooks = Pick<MenuProps, 'position' | 'width'>

export interface OpenedMenu {
  readonly id: string
  readonly button: RefObject<HTMLButtonElement | null>
  readonly looks: MenuLooks
  readonly isOpen: boolean
  readonly turn: (isOpen: boolean) => void
}

interface Props extends MenuDropdownProps {
  readonly opened: OpenedMenu
}

export function MenuOver({ opened: { id, button, looks, isOpen, turn }, ...dropdown }: Props) {
  // A menu that exists before it opens knows where the focus was, and gives it back.
  const [isThere, setIsThere] = useState(false)
  useEffect(() => setIsThere(true), [])
  return (
    <Kit>
      <Menu id={id} {...looks} opened={isOpen && isThere} onChange={turn}>
        <Menu.Target>
          <Standing button={button} />
        </Menu.Target>
        <Menu.Dropdown {...dropdown} />
      </Menu>
    </Kit>
  )
}
