import { useEffect, useRef } from 'react'

/** It keeps letters typed before the opened field has the focus; they would be lost otherwise. */
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
    /** It returns what was typed since `begin` and stops keeping keys. */
    end: () => {
      const typed = kept.current ?? ''
      kept.current = undefined
      return typed
    },
  }
}
