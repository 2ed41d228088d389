import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'

export type Search = Readonly<Record<string, unknown>>

/** How a filter is written in the address. Values that are absent are left out of the address. */
export interface AddressFormat<Filter> {
  /** Whatever stands in the address, hostile or outdated, becomes a valid filter. */
  readonly read: (search: Search) => Filter
  readonly write: (filter: Filter) => Search
  /** Parameters that belong to the filter; others (sort, page) are none of its business. */
  readonly names: readonly string[]
  /** Key below `wayside.` under which the filter is kept between visits. */
  readonly rememberAs?: string
}

// The router reads `?deviceName=12` as a number; a text field wants the text.
export const textIn = (search: Search, name: string): string | undefined => {
  const value = search[name]
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const integerIn = (search: Search, name: string): number | undefined => {
  const value = typeof search[name] === 'string' && search[name] !== '' ? Number(search[name]) : search[name]
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

export const flagIn = (search: Search, name: string): boolean => search[name] === true || search[name] === 'true'

export const wordIn = <Word extends string>(search: Search, name: string, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === search[name])

export const withoutAbsent = (search: Search): Search =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== '' && value !== null),
  )

export function readRemembered(key: string): Search {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`wayside.${key}`) ?? '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Search) : {}
  } catch {
    return {}
  }
}

export function remember(key: string, search: Search) {
  localStorage.setItem(`wayside.${key}`, JSON.stringify(withoutAbsent(search)))
}

/** The filter to show: one in the address wins over the remembered one (decisions: Addresses). */
export function chosenFilter<Filter>(search: Search, format: AddressFormat<Filter>): Filter {
  const isInAddress = format.names.some((name) => search[name] !== undefined)
  return format.read(isInAddress || !format.rememberAs ? search : readRemembered(format.rememberAs))
}

/**
 * A filter that lives in the address, so that Back, reload and a pasted link restore it, and that is kept between
 * visits. Setting it goes back to the first page, by dropping `dropped` parameters.
 */
export function useAddressFilter<Filter>(
  format: AddressFormat<Filter>,
  { dropped = ['page', 'next', 'rowNum'] }: { readonly dropped?: readonly string[] } = {},
): readonly [Filter, (next: Filter) => void] {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const filter = useMemo(() => chosenFilter(search, format), [search, format])

  const change = (next: Filter, replace: boolean) => {
    const written = withoutAbsent(format.write(next))
    if (format.rememberAs) remember(format.rememberAs, written)
    void navigate({
      to: '.',
      replace,
      search: ((before: Search) => {
        const kept = { ...before }
        for (const name of [...format.names, ...dropped]) delete kept[name]
        return { ...kept, ...written }
      }) as never,
    })
  }

  // The remembered filter is written into the address, so that what is copied from there is what is seen.
  const isMissing =
    !format.names.some((name) => search[name] !== undefined) &&
    Object.keys(withoutAbsent(format.write(filter))).length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the filter goes missing, not on every new closure
  useEffect(() => {
    if (isMissing) change(filter, true)
  }, [isMissing])

  return [filter, (next: Filter) => change(next, false)]
}

/** Other things of a screen that live in the address (sort, page, tab): read with the helpers above, set in part. */
export function useAddress(): readonly [Search, (changes: Search, options?: { replace?: boolean }) => void] {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (changes: Search, { replace = false }: { replace?: boolean } = {}) =>
    void navigate({
      to: '.',
      replace,
      search: ((before: Search) => withoutAbsent({ ...before, ...changes })) as never,
    })
  return [search, change]
}
