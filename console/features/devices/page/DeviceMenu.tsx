import {
  IconBulbOff,
  IconChartBar,
  IconDownload,
  IconDownloadOff,
  IconFileText,
  IconKey,
  IconListDetails,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useLeaveOut } from '#console/deviceParts/useLeaveOut.ts'
import { download } from '#console/lib/call/download.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { runWhenAvailable, usePaletteCommands } from '#console/lib/commands/commands.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { MoreMenu } from '#console/ui/menu/MoreMenu.tsx'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import { listDeviceCommands } from '#contract/http/devices/commands.ts'
import { deleteDevice, renewDeviceKey } from '#contract/http/devices/details.ts'
import { type Device, downloadConfiguration } from '#contract/http/devices/devices.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { getDeviceClient } from '#contract/http/software/rollouts.ts'
import { RecentDevicesItem } from './RecentDevicesItem.tsx'
import { useForgetViewedNow, useViewedDevices } from './useViewHistory.ts'

const DeleteDeviceModal = lazyDialog(() => import('./DeleteDeviceModal.tsx').then((part) => part.DeleteDeviceModal))

/** The settings menu of a device is absent where it would be empty (rules/devices 5). */
export function DeviceMenu({ device }: { readonly device: Device }) {
  const mayChange = useMay(downloadConfiguration.permission)
  const mayRenew = useMay(renewDeviceKey.permission)
  const mayDelete = useMay(deleteDevice.permission)
  const mayAskWhy = useMay(getDarkness.permission)
  const viewed = useViewedDevices(device.guid)
  const [isDeleting, setIsDeleting] = useState(false)
  const forget = useForgetViewedNow()
  useMenuCommands(device, () => setIsDeleting(true))
  if (!mayChange && !mayRenew && !mayDelete && !mayAskWhy && viewed.length === 0) return null
  return (
    <>
      <MoreMenu of="this device">
        <LookEntries device={device} />
        <LeaveOutEntry device={device} />
        <RecentDevicesItem devices={viewed} />
        <KeyEntries device={device} />
        {mayDelete && (
          <>
            <Menu.Divider />
            <MenuItem icon={IconTrash} className="menu-danger" onClick={() => setIsDeleting(true)}>
              Delete device
            </MenuItem>
          </>
        )}
      </MoreMenu>
      <DeleteDeviceModal
        device={device}
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
        onDeleted={() => forget(device.guid)}
      />
    </>
  )
}

/** These drawers belong to other features, which register how to open them. */
function LookEntries({ device }: { readonly device: Device }) {
  const mayAskWhy = useMay(getDarkness.permission)
  const isDark = device.light === 'unplanned' || device.light === 'planned'
  return (
    <>
      {mayAskWhy && isDark && (
        <MenuItem icon={IconBulbOff} onClick={() => runWhenAvailable('device.whyDark')}>
          Why is it dark?
        </MenuItem>
      )}
      {mayAskWhy && (
        <MenuItem icon={IconChartBar} onClick={() => runWhenAvailable('device.darkMinutes')}>
          Dark minutes
        </MenuItem>
      )}
      {useMay(listDeviceCommands.permission) && (
        <MenuItem icon={IconListDetails} onClick={() => runWhenAvailable('device.commands')}>
          Commands
        </MenuItem>
      )}
      {useMay(listAudit.permission) && (
        <MenuItem
          icon={IconFileText}
          className="device-menu-link"
          to={address('/audit-log', { entityTypeId: AUDIT_ENTITY_IDS.Device, entityId: device.id })}
        >
          Audit log of this device
        </MenuItem>
      )}
    </>
  )
}

/** A device that waits in an update which somebody has to resume can be taken out of it. */
function LeaveOutEntry({ device: { id, name } }: { readonly device: Device }) {
  const { data } = useCall(getDeviceClient, { deviceId: id }, { freshMs: REFRESH_EVERY_MS.besideLive })
  const { leaveOut, isBusy } = useLeaveOut()
  const waitsIn = data?.update?.waitsIn
  if (!waitsIn) return null
  return (
    <MenuItem
      icon={IconDownloadOff}
      disabled={isBusy}
      onClick={() => void leaveOut({ deviceId: id, deviceName: name, updateId: waitsIn.updateId })}
    >
      Leave out of the update
    </MenuItem>
  )
}

function KeyEntries({ device }: { readonly device: Device }) {
  return (
    <>
      {useMay(downloadConfiguration.permission) && (
        <MenuItem icon={IconDownload} onClick={() => void saveConfiguration(device).catch(toasts.failure)}>
          Download configuration
        </MenuItem>
      )}
      {useMay(renewDeviceKey.permission) && (
        <MenuItem icon={IconKey} onClick={() => void renewKey(device).catch(toasts.failure)}>
          Renew key
        </MenuItem>
      )}
    </>
  )
}

async function saveConfiguration(device: Device) {
  const isWanted = await confirmDialog({
    title: 'Download configuration',
    text: `The file for "${device.name}" holds a new key. The key that the device uses now stops working as soon as the new one is first used. Download it?`,
    call: downloadConfiguration,
  })
  if (isWanted) await download(downloadConfiguration, { query: { id: device.id } }, `${device.guid}.json`)
}

async function renewKey(device: Device) {
  const isWanted = await confirmDialog({
    title: 'Renew key',
    text: `Every key of "${device.name}" stops working at once: the device is disconnected and stays away until the file that is now downloaded is on it. Renew the key?`,
    isDangerous: true,
    call: renewDeviceKey,
  })
  if (isWanted) await download(renewDeviceKey, { body: { id: device.id } }, `${device.guid}.json`)
}

function useMenuCommands(device: Device, askToDelete: () => void) {
  usePaletteCommands([
    {
      actionId: 'device.configuration',
      label: 'Download configuration',
      searchTerms: 'file key',
      icon: IconDownload,
      run: () => void saveConfiguration(device).catch(toasts.failure),
    },
    {
      actionId: 'device.renewKey',
      label: 'Renew key',
      icon: IconKey,
      run: () => void renewKey(device).catch(toasts.failure),
    },
    {
      actionId: 'device.delete',
      label: 'Delete device',
      searchTerms: 'remove',
      icon: IconTrash,
      run: askToDelete,
    },
  ])
}
