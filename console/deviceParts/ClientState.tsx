import { IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useIsQuiet } from '#console/lib/call/whenQuiet.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { type DeviceClient, getDeviceClient } from '#contract/http/software/rollouts.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { formatBytes } from '#domain/units/bytes.ts'

/** It says which client the device runs and how far an update of it is. */
export function ClientState({ device }: { readonly device: Device }) {
  const isUpdating = device.statusId === DEVICE_STATUS.updating
  const client = useCall(
    getDeviceClient,
    { deviceId: device.id },
    { enabled: useIsQuiet(), refreshEveryMs: isUpdating ? REFRESH_EVERY_MS.ofUpdate : REFRESH_EVERY_MS.besideLive },
  )
  const { data, refetch } = client
  // biome-ignore lint/correctness/useExhaustiveDependencies: a live event reports the begin and the end of an update
  useEffect(() => {
    if (data) void refetch()
  }, [isUpdating])
  if (!data) return null
  return (
    <>
      {data.version && <span>Client {data.version}</span>}
      {data.update && <UpdateStep update={data.update} runs={data.version} />}
    </>
  )
}

type Update = NonNullable<DeviceClient['update']>

/** A step that waits for a person leads to the rollout that somebody has to resume. */
function UpdateStep({ update, runs }: { readonly update: Update; readonly runs: string | null }) {
  const step = stepText(update, runs)
  if (step === undefined) return null
  const { waitsIn } = update
  return (
    <span className="device-update" data-tone={waitsIn || update.state === 'failed' ? 'warn' : undefined}>
      <IconDownload size={14} aria-hidden />
      {waitsIn ? (
        <Link to={address('/device-software/rollouts/$updateId', { updateId: String(waitsIn.updateId) })}>{step}</Link>
      ) : (
        step
      )}
    </span>
  )
}

/** It returns undefined when the update ended well, because nothing remains to say. */
function stepText(
  { version, state, reason, receivedBytes, bytes, waitsIn }: Update,
  runs: string | null,
): string | undefined {
  switch (state) {
    case 'waiting':
      return `Update to ${version} is ${waitsIn?.state ?? 'planned'}`
    case 'offered':
      return `Update to ${version} is assigned`
    case 'downloading':
      return `Downloads ${version}${receivedBytes === null ? '' : `: ${formatBytes(receivedBytes)} of ${formatBytes(bytes)}`}`
    case 'verifying':
      return `Checks ${version}`
    case 'restarting':
      return `Starts ${version}`
    case 'failed':
      return runs === version ? undefined : `Update to ${version} failed: ${reason}`
    case 'done':
    case 'withdrawn':
      return undefined
  }
}
