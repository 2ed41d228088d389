import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import type { CommandsEvent, DeviceEvent, OverviewEvent, StateEvent } from '#contract/http/live.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { live, type Watcher } from './liveHub.ts'
import type { LiveStatus } from './liveLeader.ts'

/** Connection, status, last event and alerts of these devices arrive as they change, for the rows of lists. */
export function useLiveDevices(deviceIds: readonly DeviceId[], onEvent: (event: DeviceEvent) => void) {
  useWatch(deviceIds.join(','), onEvent, (onDevice) => ({ ...NOTHING, deviceIds: [...deviceIds], onDevice }))
}

export function useLiveAlerts(deviceIds: readonly DeviceId[], onEvent: (event: AlertsEvent) => void) {
  useWatch(deviceIds.join(','), onEvent, (onAlerts) => ({ ...NOTHING, deviceIds: [...deviceIds], onAlerts }))
}

/** All known values of one device arrive after each of its reports. */
export function useLiveState(deviceId: DeviceId | undefined, onEvent: (event: StateEvent) => void) {
  useWatch(
    deviceId,
    onEvent,
    (onState) => deviceId !== undefined && { ...NOTHING, stateDeviceIds: [deviceId], onState },
  )
}

/** The newest commands of one device and the version of its settings arrive whenever either changes. */
export function useLiveCommands(deviceId: DeviceId | undefined, onEvent: (event: CommandsEvent) => void) {
  useWatch(
    deviceId,
    onEvent,
    (onCommands) => deviceId !== undefined && { ...NOTHING, stateDeviceIds: [deviceId], onCommands },
  )
}

/** The Overview's numbers and open alerts of a customer, or of all (-1), arrive within a second. */
export function useLiveOverview(customerId: CustomerId | -1, onEvent: (event: OverviewEvent) => void) {
  useWatch(customerId, onEvent, (onOverview) => ({ ...NOTHING, overviews: [customerId], onOverview }))
}

const NOTHING: Watcher = { deviceIds: [], stateDeviceIds: [] }

/** @param key stands for what is watched, because lists are new on every render */
function useWatch<Event>(
  key: string | number | undefined,
  onEvent: (event: Event) => void,
  watcherOf: (take: (event: Event) => void) => Watcher | false,
) {
  const handler = useLatest(onEvent)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const watcher = watcherOf((event) => handler.current(event))
    return watcher ? live.watch(watcher) : undefined
  }, [key, handler])
}

/** Events are lost while the stream is down, so the screen should be read again once it is back. */
export function useOnLiveAgain(onAgain: () => void) {
  const handler = useLatest(onAgain)
  useEffect(() => live.onAgain(() => handler.current()), [handler])
}

export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(live.onStatus, live.status)
}

function useLatest<T>(value: T) {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
