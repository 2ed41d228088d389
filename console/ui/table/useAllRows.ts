import { type RefObject, startTransition, useEffect, useState } from 'react'

/** It says which rows a table draws, and how much room the others take. */
export interface DrawnRows {
  readonly indexes: readonly number[]
  readonly beforePx: number
  readonly afterPx: number
  readonly scrollTo: (index: number) => void
}

export type UseDrawnRows = (count: number, scroller: RefObject<HTMLElement | null>) => DrawnRows

/** So many rows fill a screen. */
const FIRST_ROWS = 30
const ROW_HEIGHT_PX = 35

/** The rows of the first screen are drawn at once, and the others when the browser has painted those. */
export const useAllRows: UseDrawnRows = (count) => {
  const [areAll, setAreAll] = useState(count <= FIRST_ROWS)
  useEffect(() => {
    if (!areAll) startTransition(() => setAreAll(true))
  }, [areAll])
  const drawn = areAll ? count : Math.min(count, FIRST_ROWS)
  return {
    indexes: Array.from({ length: drawn }, (_, index) => index),
    beforePx: 0,
    afterPx: (count - drawn) * ROW_HEIGHT_PX,
    scrollTo: () => setAreAll(true),
  }
}
