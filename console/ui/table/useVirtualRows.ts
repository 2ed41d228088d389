import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'

const ROW_HEIGHT_PX = 35
const ROWS_BEYOND_EDGE = 12

interface VisibleRows {
  readonly indexes: readonly number[]
  readonly beforePx: number
  readonly afterPx: number
  readonly scrollTo: (index: number) => void
}

/** Which rows to draw: all of them, or only those near the visible part of the scroller. */
export function useVirtualRows(
  count: number,
  scroller: RefObject<HTMLElement | null>,
  isVirtual: boolean,
): VisibleRows {
  const virtual = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: ROWS_BEYOND_EDGE,
  })
  if (!isVirtual) {
    return { indexes: Array.from({ length: count }, (_, index) => index), beforePx: 0, afterPx: 0, scrollTo: () => {} }
  }
  const items = virtual.getVirtualItems()
  return {
    indexes: items.map(({ index }) => index),
    beforePx: items[0]?.start ?? 0,
    afterPx: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    scrollTo: (index) => virtual.scrollToIndex(index),
  }
}
