import { useEffect, useState } from 'react'
import { readRemembered, remember } from '#console/lib/remembered.ts'
import { useUser } from '#console/lib/session/session.ts'
import type { Given } from '#console/router/addressText.ts'

interface Options<Filter> {
  /** The list that remembers; undefined: it does not. */
  readonly of: string | undefined
  readonly read: (given: Given) => Filter
  /** Nothing stands in the address: whoever comes this way wants the list as they left it. */
  readonly isBare: boolean
  /** Puts the filter of the last visit into the address. */
  readonly restore: (filter: Filter) => void
}

/**
 * Who enters a list without a filter gets the one of the last visit; later on a bare address means no filter, so that
 * Back out of a filter works.
 */
export function useRememberedFilter<Filter extends object>({ of, read, isBare, restore }: Options<Filter>) {
  const { id: userId } = useUser()
  // By user: a filter of the one before in this browser may name a customer that this one must not see.
  const key = of && `${of}.filter.${userId}`
  const [kept, setKept] = useState(() => {
    const filter = key && read(readRemembered(key))
    return filter && Object.keys(filter).length > 0 ? filter : undefined
  })
  const restored = isBare ? kept : undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on entering
  useEffect(() => {
    if (restored) restore(restored)
  }, [])
  useEffect(() => {
    if (!restored) setKept(undefined)
  }, [restored])

  return {
    /** Until it stands in the address. */
    restored,
    /** A filter that an operator sets is kept for the next visit; a link never changes it. */
    keep: (filter: Filter) => {
      setKept(undefined)
      if (key) remember(key, filter as Given)
    },
  }
}
