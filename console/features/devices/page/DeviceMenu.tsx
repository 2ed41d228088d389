import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload, IconHistory, IconKey, IconSettings, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { download } from '#console/lib/call/download.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import { deleteDevice, renewDeviceKey } from '#contract/http/devices/details.ts'
import { type Device, downloadConfiguration } from '#contract/http/devices/devices.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import { DeleteDeviceModal } from './DeleteDeviceModal.tsx'
import { useForgetViewedNow } from './useViewHistory.ts'

/** The settings menu of a device is absent where it would be empty (rules/devices 5). */
export function DeviceMenu({ device }: { readonly device: Device }) {
  const mayDownload = useMay(downloadConfiguration.permission)
  const mayRenew = useMay(renewDeviceKey.permission)
  const mayDelete = useMay(deleteDevice.permission)
  const mayReadLog = useMay(listAudit.permission)
  const [isDeleting, setIsDeleting] = useState(false)
  const forget = useForgetViewedNow()
  useMenuCommands(device, () => setIsDeleting(true))
  if (!mayDownload && !mayRenew && !mayDelete && !mayReadLog) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            className="device-settings"
            variant="default"
            size={30}
            aria-label="Settings of this device"
            title="Settings"
          >
            <IconSettings size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <KeyEntries device={device} />
          {mayReadLog && (
            <Menu.Item
              className="device-menu-link"
              leftSection={<IconHistory size={16} aria-hidden />}
              component={Link}
              to={address('/audit-log', { entityTypeId: AUDIT_ENTITY_IDS.Device, entityId: device.id })}
            >
              Audit log of this device
            </Menu.Item>
          )}
          {mayDelete && (
            <>
              <Menu.Divider />
              <Menu.Item
                className="menu-danger"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => setIsDeleting(true)}
              >
                Delete device
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <DeleteDeviceModal
        device={device}
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
        onDeleted={() => forget(device.guid)}
      />
    </>
  )
}

function KeyEntries({ device }: { readonly device: Device }) {
  return (
    <>
      {useMay(downloadConfiguration.permission) && (
        <Menu.Item
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => void saveConfiguration(device).catch(toasts.failure)}
        >
          Download configuration
        </Menu.Item>
      )}
      {useMay(renewDeviceKey.permission) && (
        <Menu.Item
          leftSection={<IconKey size={16} aria-hidden />}
          onClick={() => void renewKey(device).catch(toasts.failure)}
        >
          Renew key
        </Menu.Item>
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
