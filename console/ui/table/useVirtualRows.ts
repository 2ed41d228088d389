import { useVirtualizer } from '@tanstack/react-virtual'
import { usePrinting } from '#console/ui/style/printing.ts'
import { type UseDrawnRows, useAllRows } from './useAllRows.ts'

const ROW_HEIGHT_PX = 35
const ROWS_BEYOND_EDGE = 12

export const useVirtualRows: UseDrawnRows = (count, scroller) => {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: ROWS_BEYOND_EDGE,
  })
  const allRows = useAllRows(count, scroller)
  // Nobody scrolls on paper.
  if (usePrinting()) return allRows
  const items = virtual.getVirtualItems()
  return {
    indexes: items.map(({ index }) => index),
    beforePx: items[0]?.start ?? 0,
    afterPx: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    scrollTo: (index) => virtual.scrollToIndex(index),
  }
}
