import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { leaveOutOfUpdate } from '#contract/http/software/rollouts.ts'
import type { DeviceId } from '#domain/ids.ts'
import { deviceMessages } from './deviceMessages.ts'

interface DeviceInUpdate {
  readonly deviceId: DeviceId
  readonly deviceName: string
  readonly updateId: number
}

export function useLeaveOut() {
  const change = useChange(leaveOutOfUpdate, { onDone: () => toasts.success(deviceMessages.leftOut) })
  const leaveOut = async ({ deviceId, deviceName, updateId }: DeviceInUpdate) => {
    const text = deviceMessages.confirmLeaveOut(deviceName, updateId)
    if (!(await confirmDialog({ title: 'Leave this device out', text }))) return
    // The call was refused because the device has moved on, so the screen is out of date.
    change.mutate({ body: { id: updateId, deviceId } }, { onError: () => void refreshAfter(leaveOutOfUpdate) })
  }
  return { leaveOut, isBusy: change.isPending }
}
