import { useEffect, useMemo, useRef } from 'react'
import { sayNoStatus, useNoStatusNotice } from '#console/deviceParts/useNoStatusNotice.ts'
import { AsOfButton } from '#console/features/devices/status/view/AsOfButton.tsx'
import { ReloadButton } from '#console/features/devices/status/view/ReloadButton.tsx'
import { writeStatusAddress } from '#console/features/devices/status/view/statusAddress.ts'
import { useViewActions } from '#console/features/devices/status/view/viewActions.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { callKey, queryClient, useCall } from '#console/lib/call/useCall.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { useOnLiveAgain } from '#console/lib/live/live.ts'
import { address } from '#console/router/addressText.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ConnectionNotice } from '#console/ui/ConnectionNotice.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import { HeldBack } from '#console/ui/HeldBack.tsx'
import { Later } from '#console/ui/Later.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { type DashboardItem, getDeviceDashboard, getDeviceHealth } from '#contract/http/devices/status.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { HealthStrip } from './HealthStrip.tsx'
import { ReportingNotice } from './ReportingNotice.tsx'
import { StatusBanner } from './StatusBanner.tsx'
import { StatusComponents } from './StatusComponents.tsx'
import { limitsByField } from './tiles/limitLabels.ts'
import { TileSkeleton } from './tiles/TileSkeleton.tsx'
import { groupTiles } from './tiles/tiles.ts'
import { UnreportedParts } from './UnreportedParts.tsx'
import { useLiveReadings } from './useLiveReadings.ts'

const LastDay = lazyPart(() => import('./LastDay.tsx').then((part) => part.LastDay), { meanwhile: LastDayToCome })

interface Props {
  readonly device: Device
  readonly onChooseMoment: (at: Date) => void
}

/** The Dashboard of a device has a strip of facts and then its components, and changes as the device reports. */
export function StatusDashboard({ device, onChooseMoment }: Props) {
  const query = { deviceId: device.id }
  const dashboard = useCall(getDeviceDashboard, query, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const health = useCall(getDeviceHealth, query, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const { isReloading, reloadNow } = useReload(dashboard)
  const live = useLiveReadings(device.id)
  const groups = useMemo(() => groupTiles(dashboard.data ?? [], live), [dashboard.data, live])
  const tiles = useMemo(() => groups.flatMap((group) => group.tiles), [groups])
  const limits = useMemo(() => limitsByField(health.data?.limits), [health.data])
  const readAgain = () => {
    void dashboard.refetch()
    void health.refetch()
  }
  useOnLiveAgain(readAgain)
  useOnAlerts(device.activeAlerts, readAgain)
  useNoStatusNotice(dashboard.data && isEmpty(dashboard.data))
  const reloadAndReport = async () => {
    void health.refetch()
    await reloadNow()
    if (isEmpty(queryClient.getQueryData(callKey(getDeviceDashboard, query)) ?? [])) sayNoStatus()
  }
  const actions = useViewActions(
    <>
      <AsOfButton onChoose={onChooseMoment} />
      <ReloadButton isReloading={isReloading} onReload={() => void reloadAndReport()} />
    </>,
  )
  const isKnown = !dashboard.isPending && !health.isPending

  return (
    <>
      {actions}
      {device.lastEvent === null && <ConnectionNotice device={device} />}
      {isKnown && <StatusBanner device={device} tiles={tiles} limits={limits} health={health.data} />}
      <HealthStrip
        device={device}
        tiles={dashboard.isPending ? undefined : tiles}
        health={health.isPending ? undefined : (health.data ?? null)}
        limits={limits}
      />
      <HeldBack
        isHeld={!isKnown}
        skeleton={
          <>
            <LastDayToCome />
            <TileSkeleton />
          </>
        }
      >
        <LastDay device={device} timelineOf={(period) => timelineAt(device.guid, period)} />
        {isKnown && (
          <>
            <ReportingNotice device={device} health={health.data} />
            {health.data && <UnreportedParts device={device} parts={health.data.unreported} />}
            <AsyncView query={dashboard} empty={<NoComponents />}>
              {() => (
                <Later meanwhile={<TileSkeleton />}>
                  <StatusComponents groups={groups} device={device} limits={limits} />
                </Later>
              )}
            </AsyncView>
          </>
        )}
      </HeldBack>
    </>
  )
}

const timelineAt = (guid: DeviceGuid, period: Period) =>
  address('/devices/$guid/status', { guid, ...writeStatusAddress({ view: 'timeline', period }) })

function LastDayToCome() {
  return (
    <Panel title="Last 24 hours">
      <Skeleton lines={5} />
    </Panel>
  )
}

const NoComponents = () => (
  <EmptyNote title="Nothing to show">
    <p>This device has no components. An admin adds them on the Components tab.</p>
  </EmptyNote>
)

/** Only a load says which tiles are in alert. */
function useOnAlerts(activeAlerts: number, readAgain: () => void) {
  const seen = useRef(activeAlerts)
  useEffect(() => {
    if (seen.current === activeAlerts) return
    seen.current = activeAlerts
    readAgain()
  })
}

const isEmpty = (items: readonly DashboardItem[]) => items.every(({ field_value }) => field_value === null)
