import { useMemo } from 'react'
import { ADDRESSES } from './addresses.ts'
import type { Fields, ReadOf } from './addressFields.ts'
import { addressOf, type Given, type Path, type ValuesOf, type WrittenValues } from './addressText.ts'
import { type Place, placeAt } from './pages.ts'
import { useLocation, useNavigate } from './Router.tsx'
import { unreadParameters } from './unread.ts'

export interface ReadAddress<P extends Path> {
  readonly values: ValuesOf<P>
  /** The parameters as they stand in the address. */
  readonly given: Given
  /** What was given and cannot be read, in words: left out unsaid, it would show more than was asked for. */
  readonly unread: readonly string[]
  /** A change names what changes; an absent value takes its parameter away. */
  readonly change: (changes: WrittenValues<P>, options?: { readonly replace?: boolean }) => void
}

/**
 * What a screen keeps in its address (filter, order, page, tab), so that Back, reload and a pasted link restore it. Who
 * writes another path than that of the page reads the same parameters by it.
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

/** Leniently: what makes no sense is left out, the rest still counts. */
export function readAddress<P extends Path>(path: P, given: Given): ValuesOf<P> {
  return readFields(ADDRESSES[path], given) as ValuesOf<P>
}

export type FieldValues<Some extends Fields> = { readonly [Name in keyof Some]?: ReadOf<Some[Name]> }

/** The values of some fields; those that cannot be read are absent. */
export function readFields<Some extends Fields>(fields: Some, given: Given): FieldValues<Some> {
  const read = Object.entries(fields).map(([name, field]) => [name, field(given[name])] as const)
  const values = Object.fromEntries(read.filter(([, value]) => value !== undefined)) as FieldValues<Some> & Place
  if (!('page' in fields)) return values
  const { page, next, ...others } = values
  return { ...others, ...placeAt(page, next) } as FieldValues<Some>
}
