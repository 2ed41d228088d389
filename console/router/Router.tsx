import type { HistoryLocation, RouterHistory } from '@tanstack/history'
import {
  type AnchorHTMLAttributes,
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactNode,
  type Ref,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react'
import { type Address, type Given, type PathName, readGiven, writeGiven } from './addressText.ts'
import { addLeaveGuard } from './leaveGuards.ts'
import { decoded, pathOf } from './pathOf.ts'
import { useScrollMemory } from './useScrollMemory.ts'

export type Layout = ComponentType<{ readonly children: ReactNode }>

export interface Page {
  readonly within?: readonly Layout[]
  readonly screen: ComponentType
  readonly detour?: (location: Location, names: PathNames) => Address | undefined
}

export interface Location {
  readonly pathname: string
  readonly search: string
  readonly given: Given
  readonly anchor: string
  readonly address: Address
  readonly step: number
}

const History = createContext<RouterHistory | undefined>(undefined)
const NamesInPath = createContext<PathNames>({})

export type PathNames = { readonly [Name in PathName]?: string }
const NO_NAMES: PathNames = {}

interface Props {
  readonly history: RouterHistory
  readonly pages: Readonly<Record<string, Page>>
  readonly otherwise: Page
  readonly frame?: Layout
}

export function Router({ history, ...props }: Props) {
  useScrollMemory(history)
  return (
    <History value={history}>
      <OpenPage {...props} />
    </History>
  )
}

/** A page of the router may show one of further pages. */
export function OpenPage({ pages, otherwise, frame: Frame = Bare }: Omit<Props, 'history'>) {
  const location = useLocation()
  const found = pathOf(location.pathname, Object.keys(pages))
  const page = (found && pages[found.path]) ?? otherwise
  const names = found?.names ?? NO_NAMES
  const detour = page.detour?.(location, names)
  if (detour !== undefined) return <Redirect to={detour} />
  const screen = (
    <Frame>
      <page.screen />
    </Frame>
  )
  const inLayout = (inside: ReactNode, Around: Layout) => (
    <Frame>
      <Around>{inside}</Around>
    </Frame>
  )
  return <NamesInPath value={names}>{(page.within ?? []).reduceRight(inLayout, screen)}</NamesInPath>
}

export function pageAt(pathname: string, pages: Readonly<Record<string, Page>>): Page | undefined {
  const found = pathOf(pathname, Object.keys(pages))
  return found && pages[found.path]
}

const Bare = ({ children }: { readonly children: ReactNode }) => children

function useHistory(): RouterHistory {
  const history = use(History)
  if (!history) throw new Error('this part of the console needs a router around it')
  return history
}

export function useLocation(): Location {
  const history = useHistory()
  return locationOf(useSyncExternalStore(history.subscribe, () => history.location))
}

const read = new WeakMap<HistoryLocation, Location>()
let lastSearch: { readonly text: string; readonly given: Given } = { text: '', given: {} }

function locationOf(location: HistoryLocation): Location {
  const known = read.get(location)
  if (known) return known
  const { pathname, search, hash, href, state } = location
  // Unchanged parameters stay the same object, so that what is derived from them is not derived again.
  if (search !== lastSearch.text) lastSearch = { text: search, given: readGiven(search) }
  const anchor = decoded(hash.slice(1))
  const made = { pathname, search, given: lastSearch.given, anchor, address: href as Address, step: state.__TSR_index }
  read.set(location, made)
  return made
}

export const usePathName = (name: PathName): string | undefined => use(NamesInPath)[name]

export interface Way {
  /** It replaces the present page in the history, so that Back does not lead to it. */
  readonly replace?: boolean
  /** It leaves even with unsaved changes, because there is nowhere left to save them. */
  readonly leavesAll?: boolean
}

export type Navigate = (to: Address, way?: Way) => void

export function useNavigate(): Navigate {
  const history = useHistory()
  return useCallback(
    (to, { replace = false, leavesAll = false } = {}) =>
      history[replace ? 'replace' : 'push'](to, undefined, { ignoreBlocker: leavesAll }),
    [history],
  )
}

export function useBack(fallback: Address): (way?: Pick<Way, 'leavesAll'>) => Promise<void> {
  const history = useHistory()
  return ({ leavesAll = false } = {}) =>
    new Promise((resolve) => {
      const stop = history.subscribe(() => {
        stop()
        resolve()
      })
      if (history.canGoBack()) history.back({ ignoreBlocker: leavesAll })
      else history.replace(fallback, undefined, { ignoreBlocker: leavesAll })
    })
}

export function Redirect({ to }: { readonly to: Address }) {
  const navigate = useNavigate()
  useLayoutEffect(() => navigate(to, { replace: true }), [navigate, to])
  return null
}

export function useLeaveGuard(isOn: boolean, mayLeave: () => Promise<boolean>) {
  const history = useHistory()
  useEffect(() => {
    if (!isOn) return
    const removeGuard = addLeaveGuard()
    const unblock = history.block({
      enableBeforeUnload: true,
      blockerFn: async ({ currentLocation, nextLocation }) =>
        currentLocation.pathname !== nextLocation.pathname && !(await mayLeave()),
    })
    return () => {
      removeGuard()
      unblock()
    }
  })
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly to: Address
  readonly ref?: Ref<HTMLAnchorElement>
}

/** It marks a link to the present page, or to one above it, as current. */
export function Link({ to, onClick, ...props }: LinkProps) {
  const isHere = leadsHere(to, useLocation())
  const navigate = useNavigate()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isForBrowser = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (event.defaultPrevented || isForBrowser) return
    event.preventDefault()
    navigate(to)
  }
  return <a aria-current={isHere ? 'page' : undefined} {...props} href={to} onClick={follow} />
}

function leadsHere(to: Address, { pathname, given }: Location): boolean {
  const [path = '', search = ''] = (to.split('#')[0] ?? '').split('?')
  if (path === '/' || !`${pathname}/`.startsWith(`${path}/`)) return false
  return Object.entries(readGiven(search)).every(
    ([name, value]) => writeGiven({ value }) === writeGiven({ value: given[name] }),
  )
}
