import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * How wide an element is drawn, in whole pixels, scroll bars included: what depends on it never changes it. Null until it
 * is drawn, undefined where there is no telling.
 */
export function useWidth(element: RefObject<HTMLElement | null>): number | undefined | null {
  const [widthPx, setWidthPx] = useState<number | null | undefined>(null)
  useLayoutEffect(() => {
    const watched = element.current
    if (!watched) return
    const measure = () => setWidthPx(watched.offsetWidth || undefined)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(watched)
    return () => observer.disconnect()
  }, [element])
  return widthPx
}
