import { useNavigate, useSearch } from '@tanstack/react-router'

/** Parameters of the address: anything, since anybody may have written it. */
export type Search = Readonly<Record<string, unknown>>

/** What was kept between visits under `wayside.{key}`; an empty record when there is nothing usable. */
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

const withoutAbsent = (search: Search): Search =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )

/**
 * What a screen keeps in the address (filter, order, page, tab), so that Back, reload and a pasted link restore it.
 * A change names what changes; an absent value takes its parameter away.
 */
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
