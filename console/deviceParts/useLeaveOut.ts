import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { leaveOutOfUpdate } from '#contract/http/software/rollouts.ts'
import type { DeviceId } from '#domain/ids.ts'
import { deviceMessages } from './deviceMessages.ts'

interface DeviceInUpdate {
  readonly deviceId: DeviceId
  readonly deviceName: string
  readonly updateId: number
}

export function useLeaveOut() {
  const { confirm, isBusy } = useConfirmedChange(leaveOutOfUpdate)
  const leaveOut = ({ deviceId, deviceName, updateId }: DeviceInUpdate) =>
    confirm(
      { body: { id: updateId, deviceId } },
      {
        title: 'Leave this device out',
        text: deviceMessages.confirmLeaveOut(deviceName, updateId),
        done: deviceMessages.leftOut,
      },
    )
  return { leaveOut, isBusy }
}
