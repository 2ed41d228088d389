import type { Menu as KitMenu, MenuDropdownProps } from '@mantine/core'
import {
  type ComponentType,
  cloneElement,
  createContext,
  createElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  use,
  useId,
  useRef,
  useState,
} from 'react'
import { lazyPart, useFirstUse } from '#console/ui/lazyPart.tsx'
import { loadedMenu } from './loadedMenu.ts'
import type { MenuLooks, OpenedMenu } from './MenuOver.tsx'

const MenuOver = lazyPart(() => import('./MenuOver.tsx').then((over) => over.MenuOver))

interface Props extends MenuLooks {
  readonly opensByRightClick?: boolean
  readonly children: ReactNode
}

interface Inside extends OpenedMenu {
  readonly isHere: boolean
  readonly opensByRightClick: boolean
}

const MenuContext = createContext<Inside | undefined>(undefined)

/**
 * It has the parts of the kit's menu, but what opens is loaded and drawn with its first use. The button is never
 * replaced, so it keeps the focus.
 */
export function Menu({ opensByRightClick = false, children, ...looks }: Props) {
  const [isHere, reach] = useFirstUse(MenuOver)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const turn = (next: boolean) => {
    setOpen(next)
    if (!isHere) void reach()
  }
  return <MenuContext value={{ id, button, looks, isOpen, isHere, opensByRightClick, turn }}>{children}</MenuContext>
}

interface ButtonProps {
  readonly ref?: Ref<HTMLButtonElement>
  readonly id?: string
  readonly 'aria-haspopup'?: 'menu'
  readonly 'aria-expanded'?: boolean
  readonly 'aria-controls'?: string | undefined
  readonly onClick?: () => void
  readonly onContextMenu?: (event: MouseEvent) => void
}

Menu.Target = function MenuTarget({ children }: { readonly children: ReactElement<ButtonProps> }) {
  const { id, button, isOpen, opensByRightClick, turn } = useMenu()
  return cloneElement(children, {
    ref: button as Ref<HTMLButtonElement>,
    id,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? `${id}-dropdown` : undefined,
    onClick: () => turn(!isOpen),
    ...(opensByRightClick && {
      onContextMenu: (event) => {
        event.preventDefault()
        turn(true)
      },
    }),
  })
}

Menu.Dropdown = function MenuDropdown(dropdown: MenuDropdownProps) {
  const opened = useMenu()
  return opened.isHere ? <MenuOver opened={opened} {...dropdown} /> : null
}

/** What stands within a dropdown is drawn only when the kit is here. */
const within = <Part,>(part: (menu: typeof KitMenu) => Part) =>
  ((props: object) => {
    const { kit } = loadedMenu
    if (kit === undefined) throw new Error('a part of a menu stands outside of one')
    return createElement(part(kit) as ComponentType, props)
  }) as Part

Menu.Item = within((menu) => menu.Item)
Menu.CheckboxItem = within((menu) => menu.CheckboxItem)
Menu.Label = within((menu) => menu.Label)
Menu.Divider = within((menu) => menu.Divider)
Menu.Sub = Object.assign(
  within<ComponentType<{ readonly position?: 'left-start'; readonly children: ReactNode }>>((menu) => menu.Sub),
  {
    Target: within((menu) => menu.Sub.Target),
    Item: within((menu) => menu.Sub.Item),
    Dropdown: within((menu) => menu.Sub.Dropdown),
  },
)

function useMenu() {
  const menu = use(MenuContext)
  if (menu === undefined) throw new Error('a part of a menu stands outside of one')
  return menu
}
