import { IconChevronDown, IconTool } from '@tabler/icons-react'
import { useState } from 'react'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { createWindow } from '#console/pickers/maintenance/createWindow.ts'
import { PRESETS, type Preset } from '#console/pickers/maintenance/windowValues.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { createMaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import type { Device } from '#contract/http/devices/devices.ts'

const WindowModal = lazyDialog(() =>
  import('#console/pickers/maintenance/WindowModal.tsx').then((part) => part.WindowModal),
)

const CUSTOM = 'custom'

export function MaintenanceMenu({ device }: { readonly device: Device }) {
  const mayCreate = useMay(createMaintenanceWindow.permission)
  const [opened, setOpened] = useState<Preset | typeof CUSTOM>()
  usePaletteCommands([
    ...PRESETS.map((preset) => ({
      actionId: 'maintenance.plan' as const,
      id: `maintenance.plan ${preset.id}`,
      label: `Maintenance ${preset.label.toLowerCase()}`,
      searchTerms: 'window quiet silence alerts',
      icon: IconTool,
      run: () => setOpened(preset),
    })),
    {
      actionId: 'maintenance.plan' as const,
      label: 'Plan maintenance of this device',
      searchTerms: 'window weekly quiet silence alerts',
      icon: IconTool,
      run: () => setOpened(CUSTOM),
    },
  ])
  if (!mayCreate) return null
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionButton
            icon={IconTool}
            className="icon-on-phone"
            aria-label="Maintenance"
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Maintenance
          </ActionButton>
        </Menu.Target>
        <Menu.Dropdown>
          {PRESETS.map((preset) => (
            <Menu.Item key={preset.id} onClick={() => setOpened(preset)}>
              {preset.label}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setOpened(CUSTOM)}>Other times, weekly…</Menu.Item>
          <Menu.Divider />
          <Menu.Item
            className="device-menu-link"
            component={Link}
            to={address('/maintenance-windows', { deviceId: device.id })}
          >
            All of this device
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opened && (
        <WindowModal
          title={`Maintenance of ${device.name}${opened === CUSTOM ? '' : ` ${opened.label.toLowerCase()}`}`}
          target={{ kind: 'device', deviceId: device.id }}
          timeZone={device.timeZone}
          preset={opened === CUSTOM ? undefined : opened}
          onSubmit={createWindow}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}
