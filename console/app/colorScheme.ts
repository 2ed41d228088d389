import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

const STORAGE_KEY = 'wayside.theme'
/** The specification's word for the light theme (P2 §4). */
const WHITE = 'white'

const schemeOf = (stored: string | null): MantineColorScheme => (stored === WHITE ? 'light' : 'dark')

/** Themes `white` and `dark`, kept locally, dark by default whatever the system prefers; other tabs follow. */
export function storedColorScheme(): MantineColorSchemeManager {
  let follow: ((event: StorageEvent) => void) | undefined
  const unsubscribe = () => {
    if (follow) window.removeEventListener('storage', follow)
    follow = undefined
  }
  return {
    get: () => schemeOf(localStorage.getItem(STORAGE_KEY)),
    set: (scheme) => localStorage.setItem(STORAGE_KEY, scheme === 'light' ? WHITE : 'dark'),
    clear: () => localStorage.removeItem(STORAGE_KEY),
    subscribe: (onUpdate) => {
      unsubscribe()
      follow = ({ key, newValue }) => {
        if (key === STORAGE_KEY || key === null) onUpdate(schemeOf(newValue))
      }
      window.addEventListener('storage', follow)
    },
    unsubscribe,
  }
}
