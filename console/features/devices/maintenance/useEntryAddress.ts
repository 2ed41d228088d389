import { addressOf } from '#console/router/addressText.ts'
import { useLocation } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'

/** The open entry is an id or a new one. It stands in the address, so that a link opens it and Back closes it. */
export type OpenEntry = number | 'new'

export function useEntryAddress() {
  const { values, given, change } = useAddress('/devices/$guid/maintenance')
  const { pathname } = useLocation()
  return {
    entry: values.entry as OpenEntry | undefined,
    linkTo: (entry: OpenEntry) => addressOf(pathname, { ...given, entry }),
    open: (next: OpenEntry) => change({ entry: next }),
    close: () => change({ entry: undefined }, { replace: true }),
    visit: values.visit as OpenEntry | undefined,
    incidentId: values.incidentId,
    openVisit: (next: OpenEntry) => change({ visit: next }),
    closeVisit: () => change({ visit: undefined, incidentId: undefined }, { replace: true }),
  }
}
