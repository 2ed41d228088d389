import type { MenuItemProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Link } from '#console/router/Router.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'

interface Props extends MenuItemProps {
  readonly icon: Icon
  /** The address that the item leads to; without it, `onClick` says what the item does. */
  readonly to?: Parameters<typeof Link>[0]['to']
  readonly onClick?: () => void
  readonly 'aria-describedby'?: string
}

export function MenuItem({ icon: ItemIcon, to, ...item }: Props) {
  const leftSection = <ItemIcon size={16} aria-hidden />
  if (to !== undefined) return <Menu.Item {...item} leftSection={leftSection} component={Link} to={to} />
  return <Menu.Item {...item} leftSection={leftSection} />
}
