import { useState } from 'react'
import { useWatchedDevices } from '#console/alertParts/useWatchedDevices.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { type CallResult, useCall } from '#console/lib/call/useCall.ts'
import { useLiveAlerts, useOnLiveAgain } from '#console/lib/live/live.ts'
import { useSoon } from '#console/lib/time/useSoon.ts'
import { pageQuery, ROWS_PER_PAGE } from '#console/router/pages.ts'
import {
  getIncident,
  type IncidentAlert,
  listIncidentAlerts,
  MOST_SPLIT_AT_ONCE,
} from '#contract/http/alerting/incidents.ts'
import type { AlertId, IncidentId } from '#domain/ids.ts'

export interface IncidentRead {
  readonly details: CallResult<typeof getIncident>
  readonly alerts: CallResult<typeof listIncidentAlerts>
}

/** It reads again after alerts of its devices and of as many others as can be watched. */
export function useIncident(id: IncidentId, page: number): IncidentRead {
  const options = { refreshEveryMs: REFRESH_EVERY_MS.besideLive, keepsPrevious: true }
  const details = useCall(getIncident, { id }, options)
  const alerts = useCall(listIncidentAlerts, { id, ...pageQuery({ page }, ROWS_PER_PAGE) }, options)
  const readAgain = () => {
    void details.refetch()
    void alerts.refetch()
  }
  const shown = [...(details.data ? [details.data.cause] : []), ...(alerts.data?.rows ?? [])]
  useLiveAlerts(useWatchedDevices(undefined, shown), useSoon(readAgain))
  useOnLiveAgain(readAgain)
  return { details, alerts }
}

/** The selection spans pages, up to the number that can be taken out at once. */
export function useSplitSelection() {
  const [chosen, setChosen] = useState<ReadonlySet<AlertId>>(new Set())
  const set = (ids: Iterable<AlertId>) => setChosen(new Set([...ids].slice(0, MOST_SPLIT_AT_ONCE)))
  return {
    ids: [...chosen],
    has: ({ alertId }: IncidentAlert) => chosen.has(alertId),
    add: (alerts: readonly IncidentAlert[]) => set([...chosen, ...alerts.map(({ alertId }) => alertId)]),
    remove: (alerts: readonly IncidentAlert[]) => {
      const gone = new Set(alerts.map(({ alertId }) => alertId))
      set([...chosen].filter((id) => !gone.has(id)))
    },
    clear: () => set([]),
  }
}
export type SplitSelection = ReturnType<typeof useSplitSelection>
