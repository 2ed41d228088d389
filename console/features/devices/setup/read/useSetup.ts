import { useEffect, useRef, useState } from 'react'
import { sayNoStatus, useNoStatusNotice } from '#console/deviceParts/useNoStatusNotice.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { type CallResult, callKey, queryClient, refresh, useCall } from '#console/lib/call/useCall.ts'
import { useLiveCommands, useLiveState, useOnLiveAgain } from '#console/lib/live/live.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { type DeviceSettingsView, getDeviceLocalSettings, getDeviceSettings } from '#contract/http/devices/setup.ts'
import { getDeviceState } from '#contract/http/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type Readings, withLiveState } from './readings.ts'

export interface SetupData {
  readonly state: CallResult<typeof getDeviceState>
  readonly settings: CallResult<typeof getDeviceSettings>
  readonly live: Readings
}

/** It keeps reports and desired settings current. Mount it again (`key`) for another device. */
export function useSetup({ id: deviceId, connStatusId }: Device): SetupData {
  const state = useCall(getDeviceState, { deviceId }, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const settings = useCall(getDeviceSettings, { deviceId }, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const [live, setLive] = useState<Readings>(() => new Map())
  useLiveState(deviceId, (event) => setLive((known) => withLiveState(known, event)))
  useLiveCommands(deviceId, ({ settingsVersion }) => {
    if (isOlder(settings.data, settingsVersion)) void settings.refetch()
  })
  useOnLiveAgain(() => void Promise.all([state.refetch(), settings.refetch()]))
  useRefetchOn(connStatusId, settings)
  useNoStatusNotice(state.data && isMissing(state.data))
  return { state, settings, live }
}

/** While a change is pending, every event may be the one that settles it, so the view then counts as old. */
function isOlder(view: DeviceSettingsView | undefined, settingsVersion: number): boolean {
  return !view || view.version !== settingsVersion || view.sections.some(({ reason }) => reason !== null)
}

/** The reason why a setting is pending changes with the connection. */
function useRefetchOn(connStatusId: number, { refetch }: CallResult<typeof getDeviceSettings>) {
  const seen = useRef(connStatusId)
  useEffect(() => {
    if (seen.current === connStatusId) return
    seen.current = connStatusId
    void refetch()
  }, [connStatusId, refetch])
}

const isMissing = (state: { readonly device_dt: string | null } | undefined) => state?.device_dt === null

/** After an apply and after a power action the status is read again (rules/commands 12). */
export async function rereadStatus(deviceId: DeviceId): Promise<void> {
  await refresh(getDeviceState, getDeviceSettings, getDeviceLocalSettings)
  if (isMissing(queryClient.getQueryData(callKey(getDeviceState, { deviceId })))) sayNoStatus()
}

/** It returns the section of the last load, for decisions right after one. */
export function settingsSection(deviceId: DeviceId, name: string, number: number) {
  const view = queryClient.getQueryData<DeviceSettingsView>(callKey(getDeviceSettings, { deviceId }))
  return view && sectionOf(view, name, number)
}

export function sectionOf(view: DeviceSettingsView, name: string, number: number) {
  return view.sections.find(({ section, number: its }) => section === name && its === number)
}
