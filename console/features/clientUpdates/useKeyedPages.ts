import { useState } from 'react'

/**
 * Pages that only a key leads to: forwards by the key of the answer, back by those that were used before.
 *
 * @param of what is paged through; of something else it begins at the first page
 */
export function useKeyedPages(of: string) {
  const [kept, setKept] = useState<{ readonly of: string; readonly keys: readonly string[] }>({ of, keys: [] })
  const keys = kept.of === of ? kept.keys : []
  return {
    /** Key of the page to show; undefined is the first. */
    next: keys.at(-1),
    /** From 1. */
    page: keys.length + 1,
    onPrevious: keys.length === 0 ? undefined : () => setKept({ of, keys: keys.slice(0, -1) }),
    onNext: (key: string | null | undefined) => (key ? () => setKept({ of, keys: [...keys, key] }) : undefined),
  }
}
