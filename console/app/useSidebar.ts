import { useEffect, useState, useSyncExternalStore } from 'react'

const STORAGE_KEY = 'wayside.sidebar'
const COLLAPSED = 'collapsed'
/** The breakpoint of phones (rules/limits 3). */
const narrow = () => window.matchMedia('(max-width: 767px)')

export interface Sidebar {
  readonly isOpen: boolean
  readonly isOverPage: boolean
  readonly toggle: () => void
  readonly closeOverPage: () => void
}

function onWidthChange(listener: () => void): () => void {
  const media = narrow()
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export function useSidebar(): Sidebar {
  const isNarrow = useSyncExternalStore(onWidthChange, () => narrow().matches)
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(STORAGE_KEY) === COLLAPSED)
  const [isOpenOverPage, setOpenOverPage] = useState(false)

  useEffect(() => {
    if (!isOpenOverPage) return
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOpenOverPage(false)
    }
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
