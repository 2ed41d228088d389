import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload, IconSettings } from '@tabler/icons-react'
import { confirmDialog } from '#console/lib/dialogs.tsx'
import { download } from '#console/lib/download.ts'
import { useMay } from '#console/lib/session.ts'
import { toasts } from '#console/lib/toasts.ts'
import { type Device, downloadConfiguration } from '#contract/http/device.ts'

/** The settings menu of a device (P1 §2). Absent where it would be empty. */
export function DeviceMenu({ device }: { readonly device: Device }) {
  const mayDownload = useMay(downloadConfiguration.permission)
  if (!mayDownload) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Settings of this device" title="Settings">
          <IconSettings size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => void saveConfiguration(device).catch(toasts.failure)}
        >
          Download configuration
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

async function saveConfiguration(device: Device) {
  const isWanted = await confirmDialog({
    title: 'Download configuration',
    text: `The file for "${device.name}" holds a new key. The key that the device uses now stops working as soon as the new one is first used. Download it?`,
  })
  if (isWanted) await download(downloadConfiguration, { query: { id: device.id } }, `${device.guid}.json`)
}
