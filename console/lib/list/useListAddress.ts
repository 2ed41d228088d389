import { useMemo } from 'react'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { ADDRESSES } from '#console/router/addresses.ts'
import type { Given, Path, ValuesOf, WrittenValues } from '#console/router/addressText.ts'
import { withoutAbsent } from '#console/router/addressText.ts'
import type { Way } from '#console/router/Router.tsx'
import { readAddress, useAddress } from '#console/router/useAddress.ts'
import { type FilterChange, filterOf, type ListFilter } from './listAddress.ts'
import { useRememberedFilter } from './useRememberedFilter.ts'

interface Options<P extends Path> {
  /** The page sets this part of the filter itself; it never stands in the address. */
  readonly fixed?: FilterChange<P> | undefined
  /** The filter is kept between visits under this name. */
  readonly remembersAs?: string | undefined
}

/** It reads filter, order and page of a list from its address. Users of a customer have no customer to choose. */
export function useListAddress<P extends Path>(path: P, { fixed, remembersAs }: Options<P>) {
  const { values, unread, change } = useAddress(path)
  const isCustomerUser = useIsCustomerUser()
  // The page makes a new object at each render, so the text is compared.
  const fixedText = JSON.stringify(fixed ?? {}, (_, value) => value ?? null)
  const inAddress = useMemo(() => {
    const hidden = [...Object.keys(JSON.parse(fixedText)), ...(isCustomerUser ? ['customerId'] : [])]
    return Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.includes(name))) as ValuesOf<P>
  }, [values, isCustomerUser, fixedText])

  // Every parameter of the list is written, because an omitted one would stay behind.
  const write = (next: Given, way?: Way) => {
    const bare = Object.fromEntries(Object.keys(ADDRESSES[path]).map((name) => [name, undefined]))
    change({ ...bare, ...next } as WrittenValues<P>, way)
  }
  const { restored, keep } = useRememberedFilter({
    of: remembersAs,
    read: (given) => filterOf<P>(readAddress(path, given)),
    isBare: Object.keys(inAddress).length === 0,
    restore: (filter) => write(filter as Given, { replace: true }),
  })
  const shown = (restored ?? inAddress) as ValuesOf<P>
  const filter = useMemo(
    () => withoutAbsent({ ...filterOf(shown), ...JSON.parse(fixedText) }) as ListFilter<P>,
    [shown, fixedText],
  )
  return {
    values: shown,
    filter,
    unread,
    /** The filter of the last visit is about to be written into the address. */
    isRestoring: restored !== undefined,
    rewrite: (next: Given) => write(next, { replace: true }),
    go: (next: Given, way?: Way) => {
      keep(filterOf<P>(next))
      write(next, way)
    },
  }
}
