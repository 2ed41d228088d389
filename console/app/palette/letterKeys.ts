import { useSyncExternalStore } from 'react'
import { Listeners } from '#console/lib/notice/Listeners.ts'

/** Keys without Ctrl can be turned off, because speech input triggers them unintentionally (WCAG 2.1.4). */
const STORAGE_KEY = 'wayside.letterKeys'
const OFF = 'off'
const listeners = new Listeners()

export const letterKeysAreOn = (): boolean => localStorage.getItem(STORAGE_KEY) !== OFF

export function setLetterKeys(areOn: boolean) {
  if (areOn) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, OFF)
  listeners.notify()
}

export const useLetterKeys = (): boolean => useSyncExternalStore(listeners.subscribe, letterKeysAreOn)
