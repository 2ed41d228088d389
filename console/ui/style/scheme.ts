import { useSyncExternalStore } from 'react'
import { Listeners } from '#console/lib/notice/Listeners.ts'
import { isPrinting, onPrinting } from './printing.ts'

/** Style sheets use these names; `console/public/theme.js` has already set one before anything was drawn. */
export type Scheme = 'dark' | 'light'

const STORAGE_KEY = 'wayside.theme'
/** Wherever the light theme is stored it has this name (rules/display 15). */
const WHITE = 'white'

const listeners = new Listeners()

/** The themes `white` and `dark` are stored locally; dark is the default whatever the system prefers. */
const readChoice = (): Scheme => (localStorage.getItem(STORAGE_KEY) === WHITE ? 'light' : 'dark')

/** Paper is white in either theme. */
const readScheme = (): Scheme => (isPrinting() ? 'light' : readChoice())

export function switchScheme() {
  localStorage.setItem(STORAGE_KEY, readChoice() === 'dark' ? WHITE : 'dark')
  show()
}

function show() {
  document.documentElement.dataset.mantineColorScheme = readScheme()
  listeners.notify()
}

onPrinting(show)
// Other tabs of this browser follow; `key` is null when the storage was cleared.
window.addEventListener('storage', ({ key }) => {
  if (key === STORAGE_KEY || key === null) show()
})

export const useScheme = (): Scheme => useSyncExternalStore(listeners.subscribe, readScheme)
