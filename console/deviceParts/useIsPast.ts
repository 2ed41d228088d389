import { useLocation } from '#console/router/Router.tsx'
import { readAddress } from '#console/router/useAddress.ts'

export function useIsPast(): boolean {
  const { pathname, given } = useLocation()
  if (!/\/status\/?$/.test(pathname)) return false
  const { view = 'dashboard', at } = readAddress('/devices/$guid/status', given)
  return view === 'dashboard' && at !== undefined
}
