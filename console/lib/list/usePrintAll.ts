import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import { quiet } from '#console/lib/call/whenQuiet.ts'

/** It is about 30 sheets. */
export const MOST_PRINTED_ROWS = 1_000

/**
 * A page of a list is less than the list. Before it is printed, by its button or by Ctrl P, all rows that the filter
 * shows are read and stand in place of the page until the sheets are made (rules/lists 15).
 *
 * @param hasMore the page is not the whole list
 * @param read it reads the list from its first row
 */
export function usePrintAll<Row>(hasMore: boolean, read: (signal: AbortSignal) => AsyncIterable<readonly Row[]>) {
  const [rows, setRows] = useState<readonly Row[]>()
  const [isReading, setIsReading] = useState(false)
  const running = useRef<AbortController>(undefined)
  const print = async () => {
    if (running.current) return
    const run = new AbortController()
    running.current = run
    setIsReading(true)
    try {
      const all: Row[] = []
      for await (const batch of read(run.signal)) {
        all.push(...batch)
        if (all.length >= MOST_PRINTED_ROWS) break
      }
      setRows(all.slice(0, MOST_PRINTED_ROWS))
      // A page may read more about its rows.
      await quiet()
      if (!run.signal.aborted) window.print()
    } catch (failure) {
      if (!run.signal.aborted) toasts.failure(failure)
    }
    running.current = undefined
    setIsReading(false)
  }
  const printByKeys = useEffectEvent((event: KeyboardEvent) => {
    const isPrintKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'p'
    if (!hasMore || !isPrintKey || event.shiftKey || event.altKey || event.defaultPrevented) return
    event.preventDefault()
    void print()
  })
  useEffect(() => {
    const keys = (event: KeyboardEvent) => printByKeys(event)
    const showPage = () => setRows(undefined)
    window.addEventListener('keydown', keys)
    window.addEventListener('afterprint', showPage)
    return () => {
      window.removeEventListener('keydown', keys)
      window.removeEventListener('afterprint', showPage)
      running.current?.abort()
    }
  }, [])
  return {
    rows,
    isWhole: rows !== undefined && rows.length < MOST_PRINTED_ROWS,
    start: hasMore ? print : undefined,
    isReading,
  }
}
