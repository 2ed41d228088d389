import { useEffect, useRef } from 'react'
import { SECOND_MS } from '#domain/units/time.ts'

const AFTER_MS = SECOND_MS

/** It calls once, a while after the first request, and merges requests meanwhile, for counts after live events. */
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
