import { useLocation } from '#console/router/Router.tsx'
import { readStatusAddress } from './statusAddress.ts'

/** Whether the page shows the status as it was at a moment. */
export function useIsPast(): boolean {
  const { pathname, given } = useLocation()
  if (!/\/status\/?$/.test(pathname)) return false
  const { view, at } = readStatusAddress(given)
  return view === 'dashboard' && at !== undefined
}
