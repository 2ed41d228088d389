import { ActionIcon, Button } from '@mantine/core'
import { IconCircleMinus } from '@tabler/icons-react'
import { useLeaveOut } from '#console/deviceParts/useLeaveOut.ts'
import { Hint } from '#console/ui/plain/Hint.tsx'
import type { ClientUpdate, UpdatedDevice } from '#contract/http/software/rollouts.ts'
import { OPEN_STATES } from '#domain/rollouts/states.ts'

interface Props {
  readonly device: UpdatedDevice
  readonly update: ClientUpdate
  /** The button has a label outside tables, where its row does not explain the icon. */
  readonly isWritten?: true
}

/** It takes one device out of a rollout; where that is too late, there is no button. */
export function LeaveOutButton({ device, update, isWritten }: Props) {
  const { leaveOut, isBusy } = useLeaveOut()
  if (!OPEN_STATES.includes(device.state) || device.state === 'restarting') return null
  const props = {
    'aria-label': `Leave out ${device.deviceName}`,
    loading: isBusy,
    onClick: () => void leaveOut({ ...device, updateId: update.id }),
  }
  if (isWritten)
    return (
      <Button size="compact-xs" variant="default" {...props}>
        Leave out
      </Button>
    )
  return (
    <Hint label="Leave this device out">
      <ActionIcon size={26} {...props}>
        <IconCircleMinus size={15} aria-hidden />
      </ActionIcon>
    </Hint>
  )
}
