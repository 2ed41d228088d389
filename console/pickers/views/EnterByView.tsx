import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useLocation, useNavigate } from '#console/router/Router.tsx'
import { readAddress } from '#console/router/useAddress.ts'
import { Screen } from '#console/ui/page/Screen.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { listViews, type ViewPage } from '#contract/http/devices/views.ts'
import { VIEWS_FRESH } from './useViews.ts'
import { entryOf, PATHS, viewAddress } from './viewAddress.ts'

const TITLES: Readonly<Record<ViewPage, string>> = { devices: 'Devices', locations: 'Locations' }

interface Props {
  readonly page: ViewPage
  readonly children: ReactNode
}

/** A bare address opens the user's default view; one that names only a view opens that one. */
export function EnterByView({ page, children }: Props) {
  const { given } = useLocation()
  const navigate = useNavigate()
  const [entry] = useState(() => entryOf(page, given))
  const { data, isPending } = useCall(listViews, { page }, VIEWS_FRESH)
  const wanted = entry === 'bare' ? data?.defaultId : readAddress(PATHS[page], given).view
  const view = data?.views.find(({ id }) => id === wanted)
  const [isIn, setIsIn] = useState(entry === 'said' || (data !== undefined && view === undefined))

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on entering
  useLayoutEffect(() => {
    if (isIn || isPending) return
    if (view) navigate(viewAddress(page, view), { replace: true })
    // A whole page takes longer than an answer may.
    startTransition(() => setIsIn(true))
  }, [isIn, isPending])

  if (isIn) return children
  return (
    <Screen title={TITLES[page]}>
      <Skeleton />
    </Screen>
  )
}
