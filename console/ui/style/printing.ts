import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let isOnPaper = false
const listeners = new Set<() => void>()

function change(isNow: boolean) {
  if (isOnPaper === isNow) return
  isOnPaper = isNow
  // The browser prints the page as it is right after the event.
  flushSync(() => {
    for (const notify of listeners) notify()
  })
}

window.addEventListener('beforeprint', () => change(true))
window.addEventListener('afterprint', () => change(false))
window.matchMedia('print').addEventListener('change', ({ matches }) => change(matches))

export const isPrinting = (): boolean => isOnPaper

export function onPrinting(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** It is true while the page is made for paper, where nothing can be scrolled or opened. */
export const usePrinting = (): boolean => useSyncExternalStore(onPrinting, isPrinting)
