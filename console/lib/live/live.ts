import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { AlertsEvent } from '#contract/http/alerting/alerts.ts'
import type { CommandsEvent, DeviceEvent, OverviewEvent, StateEvent } from '#contract/http/live.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { live } from './liveHub.ts'
import type { LiveStatus } from './liveLeader.ts'

/** Connection, status, last event and alerts of these devices arrive as they change, for the rows of lists. */
export function useLiveDevices(deviceIds: readonly DeviceId[], onEvent: (event: DeviceEvent) => void) {
  const handler = useLatest(onEvent)
  const key = deviceIds.join(',')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the ids, lists are new on every render
  useEffect(
    () => live.watch({ deviceIds: [...deviceIds], stateDeviceIds: [], onDevice: (event) => handler.current(event) }),
    [key, handler],
  )
}

export function useLiveAlerts(deviceIds: readonly DeviceId[], onEvent: (event: AlertsEvent) => void) {
  const handler = useLatest(onEvent)
  const key = deviceIds.join(',')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the ids, lists are new on every render
  useEffect(
    () => live.watch({ deviceIds: [...deviceIds], stateDeviceIds: [], onAlerts: (event) => handler.current(event) }),
    [key, handler],
  )
}

/** All known values of one device arrive after each of its reports. */
export function useLiveState(deviceId: DeviceId | undefined, onEvent: (event: StateEvent) => void) {
  const handler = useLatest(onEvent)
  useEffect(
    () =>
      deviceId === undefined
        ? undefined
        : live.watch({ deviceIds: [], stateDeviceIds: [deviceId], onState: (event) => handler.current(event) }),
    [deviceId, handler],
  )
}

/** The newest commands of one device and the version of its settings arrive whenever either changes. */
export function useLiveCommands(deviceId: DeviceId | undefined, onEvent: (event: CommandsEvent) => void) {
  const handler = useLatest(onEvent)
  useEffect(
    () =>
      deviceId === undefined
        ? undefined
        : live.watch({ deviceIds: [], stateDeviceIds: [deviceId], onCommands: (event) => handler.current(event) }),
    [deviceId, handler],
  )
}

/** The Overview's numbers and open alerts of a customer, or of all (-1), arrive within a second. */
export function useLiveOverview(customerId: CustomerId | -1, onEvent: (event: OverviewEvent) => void) {
  const handler = useLatest(onEvent)
  useEffect(
    () =>
      live.watch({
        deviceIds: [],
        stateDeviceIds: [],
        overviews: [customerId],
        onOverview: (event) => handler.current(event),
      }),
    [customerId, handler],
  )
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
