import { IconKey } from '@tabler/icons-react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { Age } from '#console/ui/Age.tsx'
import { NoticeBox } from '#console/ui/NoticeBox.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import { renewDeviceKey } from '#contract/http/devices/details.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { getDeviceSettings } from '#contract/http/devices/setup.ts'

/** It warns that the device ignores the settings of this server until its key is renewed. */
export function SettingsNotTaken({ device: { id } }: { readonly device: Device }) {
  const { data } = useCall(getDeviceSettings, { deviceId: id }, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const mayRenew = useMay(renewDeviceKey.permission)
  if (!data?.versionsUsedUpSince) return null
  return (
    <NoticeBox icon={IconKey}>
      <b>This device ignores new settings.</b> First seen <Age at={data.versionsUsedUpSince} />. It already has newer
      settings than this server can send, probably from another server. Components, drivers, updates and what you set
      while it is offline do not reach it. To end this, renew its key and put the new configuration file on the device.{' '}
      {mayRenew ? (
        <PlainButton onClick={() => runWhenAvailable('device.renewKey')}>Renew key</PlainButton>
      ) : (
        'Ask a device manager to do this.'
      )}
    </NoticeBox>
  )
}
