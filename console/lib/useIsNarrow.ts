import { useSyncExternalStore } from 'react'

/** It says whether the window is narrower than this, and follows it. */
export function useIsNarrow(widthPx: number): boolean {
  const query = () => window.matchMedia(`(max-width: ${widthPx - 1}px)`)
  const subscribe = (listener: () => void) => {
    const media = query()
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return useSyncExternalStore(subscribe, () => query().matches === true)
}
