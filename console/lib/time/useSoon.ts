import { useEffect, useRef } from 'react'
import { SECOND_MS } from '#domain/units/time.ts'

const AFTER_MS = SECOND_MS

/** For counts after live events: calls once, a while after the first wish; wishes meanwhile are the same one. */
export function useSoon(act: () => void): () => void {
  const latest = useRef(act)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, AFTER_MS)
  }
}
