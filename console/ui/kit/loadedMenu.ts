import type { Menu } from '@mantine/core'

/** `MenuOver` puts the kit's menu here when it is loaded, for the parts of menus that pages import before it. */
export const loadedMenu: { kit?: typeof Menu } = {}
