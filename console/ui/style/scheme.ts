import { useSyncExternalStore } from 'react'

/** Dark and light as style sheets say them; `console/public/theme.js` has said it before anything was drawn. */
export type Scheme = 'dark' | 'light'

const STORAGE_KEY = 'wayside.theme'
/** The light theme is called so wherever it is kept (rules/display 15). */
const WHITE = 'white'

const listeners = new Set<() => void>()

/** Themes `white` and `dark`, kept locally, dark by default whatever the system prefers. */
const readScheme = (): Scheme => (localStorage.getItem(STORAGE_KEY) === WHITE ? 'light' : 'dark')

export function switchScheme() {
  localStorage.setItem(STORAGE_KEY, readScheme() === 'dark' ? WHITE : 'dark')
  show()
}

function show() {
  document.documentElement.dataset.mantineColorScheme = readScheme()
  for (const tell of listeners) tell()
}

function onSchemeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Other tabs of this browser follow; `key` is null when storage was cleared.
window.addEventListener('storage', ({ key }) => {
  if (key === STORAGE_KEY || key === null) show()
})

export const useScheme = (): Scheme => useSyncExternalStore(onSchemeChange, readScheme)
