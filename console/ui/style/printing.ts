import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { Listeners } from '#console/lib/notice/Listeners.ts'

let isOnPaper = false
const listeners = new Listeners()

function change(isNow: boolean) {
  if (isOnPaper === isNow) return
  isOnPaper = isNow
  // The browser prints the page as it is right after the event.
  flushSync(listeners.notify)
}

window.addEventListener('beforeprint', () => change(true))
window.addEventListener('afterprint', () => change(false))
window.matchMedia('print').addEventListener('change', ({ matches }) => change(matches))

export const isPrinting = (): boolean => isOnPaper

export const onPrinting = listeners.subscribe

/** It is true while the page is made for paper, where nothing can be scrolled or opened. */
export const usePrinting = (): boolean => useSyncExternalStore(onPrinting, isPrinting)
