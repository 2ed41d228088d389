import { IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { type DeviceClient, getDeviceClient } from '#contract/http/software/rollouts.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { formatBytes } from '#domain/units/bytes.ts'
import { useLeaveOut } from './useLeaveOut.ts'
import '#console/ui/Badge.css'

export function ClientState({ device }: { readonly device: Device }) {
  const isUpdating = device.statusId === DEVICE_STATUS.updating
  const client = useCall(
    getDeviceClient,
    { deviceId: device.id },
    { refreshEveryMs: isUpdating ? REFRESH_EVERY_MS.ofUpdate : REFRESH_EVERY_MS.besideLive },
  )
  const { data, refetch } = client
  // biome-ignore lint/correctness/useExhaustiveDependencies: a live event reports the begin and the end of an update
  useEffect(() => {
    if (data) void refetch()
  }, [isUpdating])
  if (!data) return null
  const step = data.update && stepText(data.update, data.version)
  const waitsIn = data.update?.waitsIn
  return (
    <>
      {data.version && <span className="device-last-event">Client {data.version}</span>}
      {step && (
        <span className={`badge badge-${data.update?.state === 'failed' ? 'crit' : 'brand'} device-update`}>
          <IconDownload size={15} aria-hidden />
          {step}
        </span>
      )}
      {waitsIn && <WaitsIn device={device} {...waitsIn} />}
    </>
  )
}

/** It leads to the rollout that somebody has to resume, and can take the device out of it. */
function WaitsIn({ device, updateId, state }: { device: Device } & NonNullable<Update['waitsIn']>) {
  const { leaveOut, isBusy } = useLeaveOut()
  return (
    <span className="device-last-event">
      Waits in the {state}{' '}
      <Link to={address('/device-software/rollouts/$updateId', { updateId: String(updateId) })} className="panel-link">
        update {updateId}
      </Link>{' '}
      <PlainButton
        isQuiet
        disabled={isBusy}
        onClick={() => void leaveOut({ deviceId: device.id, deviceName: device.name, updateId })}
      >
        Leave out
      </PlainButton>
    </span>
  )
}

type Update = NonNullable<DeviceClient['update']>

/** It returns undefined when the update ended well, because nothing remains to say. */
export function stepText(
  { version, state, reason, receivedBytes, bytes }: Update,
  runs: string | null,
): string | undefined {
  switch (state) {
    case 'waiting':
      return `Update to ${version} is planned`
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
