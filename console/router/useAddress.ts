import { useMemo } from 'react'
import { ADDRESSES } from './addresses.ts'
import type { Fields, ReadOf } from './addressFields.ts'
import { addressOf, type Given, type Path, type ValuesOf, type WrittenValues } from './addressText.ts'
import { type Place, placeAt } from './pages.ts'
import { useLocation, useNavigate } from './Router.tsx'
import { unreadParameters } from './unread.ts'

export interface ReadAddress<P extends Path> {
  readonly values: ValuesOf<P>
  readonly given: Given
  /** It words what cannot be read, because a filter that silently loses a part shows more than was requested. */
  readonly unread: readonly string[]
  /** It changes the named parameters; an absent value removes its parameter. */
  readonly change: (changes: WrittenValues<P>, options?: { readonly replace?: boolean }) => void
}

/**
 * It reads what a screen keeps in its address (filter, order, page, tab), so that Back, reload and a pasted link
 * restore it. A path other than the page's reads the same parameters by its own fields.
 */
export function useAddress<P extends Path>(path: P): ReadAddress<P> {
  const { pathname, given } = useLocation()
  const navigate = useNavigate()
  return useMemo(() => {
    const values = readAddress(path, given)
    return {
      values,
      given,
      unread: unreadParameters(given, Object.keys(ADDRESSES[path]), values),
      change: (changes, options) => navigate(addressOf(pathname, { ...given, ...changes }), options),
    }
  }, [path, pathname, given, navigate])
}

/** It reads leniently: an invalid value is dropped, the rest still counts. */
export function readAddress<P extends Path>(path: P, given: Given): ValuesOf<P> {
  return readFields(ADDRESSES[path], given) as ValuesOf<P>
}

export type FieldValues<Some extends Fields> = { readonly [Name in keyof Some]?: ReadOf<Some[Name]> }

export function readFields<Some extends Fields>(fields: Some, given: Given): FieldValues<Some> {
  const read = Object.entries(fields).map(([name, field]) => [name, field(given[name])] as const)
  const values = Object.fromEntries(read.filter(([, value]) => value !== undefined)) as FieldValues<Some> & Place
  if (!('page' in fields)) return values
  const { page, next, ...others } = values
  return { ...others, ...placeAt(page, next) } as FieldValues<Some>
}
