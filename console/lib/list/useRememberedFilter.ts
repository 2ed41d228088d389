import { useEffect, useState } from 'react'
import { readRemembered, remember } from '#console/lib/remembered.ts'
import { useUser } from '#console/lib/session/session.ts'
import type { Given } from '#console/router/addressText.ts'

interface Options<Filter> {
  /** The list that remembers its filter; undefined if it does not. */
  readonly of: string | undefined
  readonly read: (given: Given) => Filter
  /** The address holds no parameter, so the list opens as the user left it. */
  readonly isBare: boolean
  readonly restore: (filter: Filter) => void
}

/**
 * A list that is entered without a filter gets the one of the last visit; later a bare address means no filter, so that
 * Back out of a filter works.
 */
export function useRememberedFilter<Filter extends object>({ of, read, isBare, restore }: Options<Filter>) {
  const { id: userId } = useUser()
  // The filter is kept by user, because that of the previous user of this browser may name a customer that this one
  // must not see.
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
    restored,
    /** A filter that an operator sets is kept for the next visit; a link never changes it. */
    keep: (filter: Filter) => {
      setKept(undefined)
      if (key) remember(key, filter as Given)
    },
  }
}
