import { useEffect, useRef } from 'react'

/** Keeps the letters that are typed between the key that opens a field and the moment at which it has the focus. */
export function useKeysBefore() {
  const kept = useRef<string>(undefined)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (kept.current === undefined || !isLetter) return
      kept.current += event.key
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
  return {
    begin: () => {
      kept.current = ''
    },
    /** What was typed since `begin`; from now on keys go where they go. */
    end: () => {
      const typed = kept.current ?? ''
      kept.current = undefined
      return typed
    },
  }
}
