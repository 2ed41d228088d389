import { Menu, type MenuDropdownProps, type MenuProps } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'
import { Kit } from './Kit.tsx'
import { loadedMenu } from './loadedMenu.ts'
import { Standing } from './Standing.tsx'

loadedMenu.kit = Menu

export type MenuLooks = Pick<MenuProps, 'position' | 'width'>

export interface OpenedMenu {
  readonly id: string
  readonly button: RefObject<HTMLElement | null>
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
          <Standing target={button} />
        </Menu.Target>
        <Menu.Dropdown {...dropdown} />
      </Menu>
    </Kit>
  )
}
