import { Button, Loader } from '@mantine/core'
import { IconCheck, IconChevronDown, IconSwitchHorizontal } from '@tabler/icons-react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { StatusBadge } from '#console/deviceParts/StatusBadge.tsx'
import { messages } from '#console/lib/call/messages.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { confirmAndSend } from '#console/lib/notice/dialogs.ts'
import { useMay } from '#console/lib/session/session.ts'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { setDeviceStatus } from '#contract/http/devices/details.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { DEVICE_STATUS, type DeviceStatusId, deviceStatusName, SETTABLE_STATUS_IDS } from '#domain/devices/status.ts'

/**
 * Four statuses can be set from any other (rules/states 2). Pending and Updating are shown where a device has them. A
 * choice shows at once and goes back when the server refuses.
 */
export function StatusMenu({ device }: { readonly device: Device }) {
  const mayChange = useMay(setDeviceStatus.permission)
  const change = useChange(setDeviceStatus)
  const shownId = change.isPending ? (change.variables?.query?.statusId ?? device.statusId) : device.statusId

  const choose = async (statusId: DeviceStatusId) => {
    if (statusId === device.statusId) return
    const send = () => change.mutateAsync({ query: { id: device.id, statusId } })
    // A refusal has been shown by then, and the status shows the true value.
    await confirmAndSend(questionOf(device, statusId), send).catch(() => undefined)
  }

  usePaletteCommands(
    SETTABLE_STATUS_IDS.map((statusId) => ({
      actionId: 'device.status',
      id: `device.status ${statusId}`,
      label: `Change the status to ${deviceStatusName(statusId)}`,
      searchTerms: 'set',
      icon: IconSwitchHorizontal,
      refused: statusId === device.statusId ? messages.hasThisStatus : undefined,
      run: () => void choose(statusId),
    })),
  )

  if (!mayChange) return <StatusBadge statusId={device.statusId} />
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button
          variant="default"
          className="status-menu"
          aria-label={`Status: ${deviceStatusName(shownId)}. Change it`}
          disabled={change.isPending}
          rightSection={change.isPending ? <Loader size={12} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
        >
          <StatusBadge statusId={shownId} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {SETTABLE_STATUS_IDS.map((statusId) => (
          <Menu.Item
            key={statusId}
            aria-current={statusId === device.statusId || undefined}
            rightSection={statusId === device.statusId && <IconCheck size={14} aria-hidden />}
            onClick={() => void choose(statusId)}
          >
            <StatusBadge statusId={statusId} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const CONSEQUENCES: Partial<Record<DeviceStatusId, string>> = {
  [DEVICE_STATUS.deactivated]: deviceMessages.deactivatedTakesNothing,
  [DEVICE_STATUS.maintenance]: messages.maintenanceKeepsQuiet,
}

function questionOf({ name }: Device, statusId: DeviceStatusId) {
  const question = messages.confirmStatus(name, deviceStatusName(statusId))
  const consequence = CONSEQUENCES[statusId]
  return {
    title: 'Change status',
    text: consequence ? `${question} ${consequence}` : question,
    isDangerous: statusId === DEVICE_STATUS.deactivated,
  }
}
