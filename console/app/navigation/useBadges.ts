import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useIsQuiet } from '#console/lib/call/whenQuiet.ts'
import { useLiveOverview, useOnLiveAgain } from '#console/lib/live/live.ts'
import { useMay } from '#console/lib/session/session.ts'
import { useSoon } from '#console/lib/time/useSoon.ts'
import { type Address, address } from '#console/router/addressText.ts'
import { listIncidents } from '#contract/http/alerting/incidents.ts'
import { listClientUpdates } from '#contract/http/software/rollouts.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import type { BadgeName } from './navigation.ts'

export interface Badge {
  readonly count: string
  readonly label: string
  readonly isCritical: boolean
  readonly to: Address
}

export type Badges = Readonly<Partial<Record<BadgeName, Badge>>>

const CRITICAL = 1
/** A rollout that was halted longer ago than this many others needs no badge any more. */
const NEWEST_ROLLOUTS = 20

/** The menu counts what waits for somebody. Nothing is shown where nothing waits. */
export function useBadges(): Badges {
  // Nobody opens a page for the numbers beside it.
  const isQuiet = useIsQuiet()
  const activeIncidents = useActiveIncidents(isQuiet)
  const haltedRollouts = useHaltedRollouts(isQuiet)
  return { ...(activeIncidents && { activeIncidents }), ...(haltedRollouts && { haltedRollouts }) }
}

function useActiveIncidents(isQuiet: boolean): Badge | undefined {
  const enabled = useMay(listIncidents.permission) && isQuiet
  // The worst incident comes first, so one row says how bad the rest can be.
  const incidents = useCall(
    listIncidents,
    { state: 'active', rowNum: 1, pageSize: 1 },
    { enabled, refreshEveryMs: REFRESH_EVERY_MS.besideLive },
  )
  const readAgain = () => {
    if (enabled) void incidents.refetch()
  }
  useLiveOverview(-1, useSoon(readAgain))
  useOnLiveAgain(readAgain)
  if (incidents.data === undefined || incidents.data.total === 0) return undefined
  const { total, rows } = incidents.data
  const count = total === null ? '10,000+' : formatNumber(total)
  return {
    count,
    label: `${count} active ${total === 1 ? 'incident' : 'incidents'}`,
    isCritical: rows[0]?.severityId === CRITICAL,
    to: address('/incidents', { state: 'active' }),
  }
}

function useHaltedRollouts(isQuiet: boolean): Badge | undefined {
  const enabled = useMay(listClientUpdates.permission) && isQuiet
  const rollouts = useCall(
    listClientUpdates,
    { rowNum: 1, pageSize: NEWEST_ROLLOUTS },
    { enabled, refreshEveryMs: REFRESH_EVERY_MS.besideLive },
  )
  const halted = (rollouts.data?.rows ?? []).filter(({ state }) => state === 'halted').length
  if (halted === 0) return undefined
  return {
    count: String(halted),
    label: `${halted} halted ${halted === 1 ? 'rollout' : 'rollouts'}`,
    isCritical: false,
    to: address('/device-software/rollouts'),
  }
}
