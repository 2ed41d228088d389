import { ActionIcon, Tooltip } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { useLeaveOut } from '#console/device/useLeaveOut.ts'
import type { ClientUpdate, UpdatedDevice } from '#contract/http/clientUpdate.ts'
import { OPEN_STATES } from '#domain/rollouts/states.ts'

interface Props {
  readonly device: UpdatedDevice
  readonly update: ClientUpdate
}

/** Takes one device out of an update; where that is too late, there is no button. */
export function LeaveOutButton({ device, update }: Props) {
  const { leaveOut, isBusy } = useLeaveOut()
  if (!OPEN_STATES.includes(device.state) || device.state === 'restarting') return null
  return (
    <Tooltip label="Leave this device out">
      <ActionIcon
        size={26}
        aria-label={`Leave ${device.deviceName} out`}
        loading={isBusy}
        onClick={() => void leaveOut({ ...device, updateId: update.id })}
      >
        <IconUserMinus size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
