import { Menu } from '@mantine/core'
import { MenuItem } from '#console/ui/button/MenuItem.tsx'
import { Kit } from '#console/ui/kit/Kit.tsx'
import { MoreButton } from './MoreButton.tsx'
import type { MoreItem } from './Screen.tsx'

/** The click that opens the menu also loads it, so it begins open. */
export function MoreMenu({ items }: { readonly items: readonly MoreItem[] }) {
  return (
    <Kit>
      <Menu position="bottom-end" defaultOpened>
        <Menu.Target>
          <MoreButton />
        </Menu.Target>
        <Menu.Dropdown>
          {items.map(({ label, isDangerous = false, ...item }) => (
            <MenuItem key={label} {...item} {...(isDangerous && { className: 'menu-danger' })}>
              {label}
            </MenuItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Kit>
  )
}
