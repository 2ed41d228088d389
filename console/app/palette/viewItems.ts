import { useCall } from '#console/lib/call/useCall.ts'
import { mayDo } from '#console/lib/commands/actions.ts'
import { authorityOf, useUser } from '#console/lib/session/session.ts'
import { commandOfView } from '#console/pickers/views/useViewCommands.ts'
import { viewAddress } from '#console/pickers/views/viewAddress.ts'
import { listViews, type ViewPage } from '#contract/http/devices/views.ts'
import type { PaletteItem } from './paletteItems.ts'
import type { PaletteWays } from './paletteWays.ts'

const FRESH_MS = 60_000

export function useViewItems(typed: string, ways: PaletteWays): readonly PaletteItem[] {
  const options = { enabled: mayDo('view.open', authorityOf(useUser())) && typed.trim() !== '', freshMs: FRESH_MS }
  const devices = useCall(listViews, { page: 'devices' }, options)
  const locations = useCall(listViews, { page: 'locations' }, options)
  const itemsOf = (page: ViewPage, { data }: typeof devices) =>
    (data?.views ?? []).map(
      (view): PaletteItem => ({
        ...commandOfView(page, view),
        ...ways.link(viewAddress(page, view)),
        group: 'Views',
      }),
    )
  return options.enabled ? [...itemsOf('devices', devices), ...itemsOf('locations', locations)] : []
}
