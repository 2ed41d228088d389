import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * It returns the drawn width of an element in whole pixels, scroll bars included, so that its content never changes it.
 * It is null until the element is drawn, and undefined where it cannot be measured.
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
