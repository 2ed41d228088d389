import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

const STORAGE_KEY = 'wayside.sidebar'
const COLLAPSED = 'collapsed'
/** The breakpoint of phones (rules/limits 3). */
const PHONE = '(max-width: 767px)'
/** A menu with words would take a quarter of such a window, so it opens only for somebody who wants it so. */
const TABLET = '(max-width: 1024px)'

export interface Sidebar {
  readonly isOpen: boolean
  readonly isOverPage: boolean
  readonly toggle: () => void
  readonly closeOverPage: () => void
}

function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

export function useSidebar(): Sidebar {
  const isNarrow = useMedia(PHONE)
  const isTablet = useMedia(TABLET)
  const [choice, setChoice] = useState(() => localStorage.getItem(STORAGE_KEY))
  const isCollapsed = choice === null ? isTablet : choice === COLLAPSED
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
    const next = isCollapsed ? 'open' : COLLAPSED
    localStorage.setItem(STORAGE_KEY, next)
    setChoice(next)
  }
  return {
    isOpen: isNarrow ? isOpenOverPage : !isCollapsed,
    isOverPage: isNarrow && isOpenOverPage,
    toggle,
    closeOverPage: () => setOpenOverPage(false),
  }
}
