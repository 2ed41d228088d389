import { useEffect, useMemo, useRef } from 'react'
import { ReloadButton } from '#console/features/device/view/ReloadButton.tsx'
import { useViewActions } from '#console/features/device/view/viewActions.ts'
import { messages } from '#console/lib/call/messages.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { type CallResult, callKey, queryClient, useCall } from '#console/lib/call/useCall.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { useOnLiveAgain } from '#console/lib/live/live.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ConnectionNotice } from '#console/ui/ConnectionNotice.tsx'
import type { Device } from '#contract/http/device.ts'
import { type DashboardItem, getDeviceDashboard } from '#contract/http/deviceState.ts'
import { GroupLinks } from './GroupLinks.tsx'
import { TileGroupSection } from './TileGroupSection.tsx'
import { TileSkeleton } from './TileSkeleton.tsx'
import { groupTiles } from './tiles.ts'
import { useLiveReadings } from './useLiveReadings.ts'

/** The Dashboard view of a device's status (P2 §2): its components as groups of tiles, moving as it reports. */
export function StatusDashboard({ device }: { readonly device: Device }) {
  const query = { deviceId: device.id }
  const dashboard = useCall(getDeviceDashboard, query, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const { isReloading, reloadNow } = useReload(dashboard)
  const live = useLiveReadings(device.id)
  const groups = useMemo(() => groupTiles(dashboard.data ?? [], live), [dashboard.data, live])
  const hasReading = groups.some(({ tiles }) => tiles.some(({ reading }) => reading !== undefined))
  useOnLiveAgain(() => void dashboard.refetch())
  useRefetchOnAlerts(device.activeAlerts, dashboard)
  useNoStatusNotice(dashboard)

  const reloadAndTell = async () => {
    await reloadNow()
    tellIfEmpty(queryClient.getQueryData(callKey(getDeviceDashboard, query)))
  }

  const actions = useViewActions(<ReloadButton isReloading={isReloading} onReload={() => void reloadAndTell()} />)

  return (
    <>
      {actions}
      {groups.length > 0 && (
        <div className="status-bar">
          <GroupLinks groups={groups} />
        </div>
      )}
      <ConnectionNotice device={device}>{hasReading && 'The values below are from then.'}</ConnectionNotice>
      <AsyncView
        query={dashboard}
        skeleton={<TileSkeleton />}
        isEmpty={(items) => items.length === 0}
        empty={messages.noStatus}
      >
        {() => groups.map((group) => <TileGroupSection key={group.name} group={group} device={device} />)}
      </AsyncView>
    </>
  )
}

/** Which tiles are in alert comes with the load only. */
function useRefetchOnAlerts(activeAlerts: number, dashboard: CallResult<typeof getDeviceDashboard>) {
  const seen = useRef(activeAlerts)
  useEffect(() => {
    if (seen.current === activeAlerts) return
    seen.current = activeAlerts
    void dashboard.refetch()
  }, [activeAlerts, dashboard.refetch])
}

/** P1 §8: a status load without data says so. Only the first one: a silent refresh stays silent. */
function useNoStatusNotice({ data }: { readonly data: readonly DashboardItem[] | undefined }) {
  const isTold = useRef(false)
  useEffect(() => {
    if (!data || isTold.current) return
    isTold.current = true
    tellIfEmpty(data)
  }, [data])
}

function tellIfEmpty(items: readonly DashboardItem[] | undefined) {
  if (items?.every(({ field_value }) => field_value === null)) toasts.warning(messages.noStatus)
}
