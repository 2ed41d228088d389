import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

const ROWS_PER_PAGE_KEY = 10

interface RowKeysOptions {
  readonly count: number
  readonly scroller: RefObject<HTMLElement | null>
  readonly scrollTo: (index: number) => void
  readonly onOpen: (index: number) => void
}

export interface RowKeys {
  readonly ofRow: (index: number) => {
    readonly tabIndex: number
    readonly 'data-row-index': number
    readonly onFocus: () => void
    readonly onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => void
  }
}

/** The whole table is one Tab stop; arrows, Home, End and Page keys walk through its rows, Enter opens and Space ticks one. */
export function useRowKeys({ count, scroller, scrollTo, onOpen }: RowKeysOptions): RowKeys {
  const [active, setActive] = useState(0)
  const focusAfterDrawing = useRef<number | undefined>(undefined)
  const reachable = Math.min(active, Math.max(0, count - 1))

  useEffect(() => {
    const index = focusAfterDrawing.current
    if (index === undefined) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row-index="${index}"]`)
    if (!row) return
    focusAfterDrawing.current = undefined
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  })

  const go = (index: number) => {
    const next = Math.max(0, Math.min(count - 1, index))
    focusAfterDrawing.current = next
    scrollTo(next)
    setActive(next)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>, index: number) => {
    // Keys pressed on a button or link inside the row belong to that element.
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return
    const target = targetOf(event.key, index, count)
    if (target !== undefined) go(target)
    else if (event.key === 'Enter') onOpen(index)
    else if (event.key !== ' ' || !tick(event.currentTarget)) return
    event.preventDefault()
  }

  return {
    ofRow: (index) => ({
      tabIndex: index === reachable ? 0 : -1,
      'data-row-index': index,
      onFocus: () => setActive(index),
      onKeyDown: (event) => onKeyDown(event, index),
    }),
  }
}

/** It returns whether the row has a box to tick. */
function tick(row: HTMLTableRowElement): boolean {
  const box = row.querySelector<HTMLInputElement>('.is-tick input')
  box?.click()
  return box !== null
}

function targetOf(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return index + 1
  if (key === 'ArrowUp') return index - 1
  if (key === 'PageDown') return index + ROWS_PER_PAGE_KEY
  if (key === 'PageUp') return index - ROWS_PER_PAGE_KEY
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}
