import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'

const STORAGE_KEY = 'wayside.sidebar'
const COLLAPSED = 'collapsed'
/** P2 §9: mobile breakpoint. */
const NARROW = '(max-width: 767px)'

export interface Sidebar {
  readonly isOpen: boolean
  /** On a narrow screen the open side bar lies over the page, and closes when an entry is chosen. */
  readonly isOverPage: boolean
  readonly toggle: () => void
  readonly closeOverPage: () => void
}

/** Collapsed on narrow screens, otherwise as the user left it. */
export function useSidebar(): Sidebar {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(STORAGE_KEY) === COLLAPSED)
  const [isOpenOverPage, setOpenOverPage] = useState(false)

  useEffect(() => {
    if (!isOpenOverPage) return
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOpenOverPage(false)
    }
    // The tooltip of the button takes the key for itself, so this comes before it.
    window.addEventListener('keydown', closeOnEscape, { capture: true })
    return () => window.removeEventListener('keydown', closeOnEscape, { capture: true })
  }, [isOpenOverPage])

  const toggle = () => {
    if (isNarrow) return setOpenOverPage(!isOpenOverPage)
    localStorage.setItem(STORAGE_KEY, isCollapsed ? 'open' : COLLAPSED)
    setCollapsed(!isCollapsed)
  }
  return {
    isOpen: isNarrow ? isOpenOverPage : !isCollapsed,
    isOverPage: isNarrow && isOpenOverPage,
    toggle,
    closeOverPage: () => setOpenOverPage(false),
  }
}
