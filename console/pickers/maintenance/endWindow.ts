import { send } from '#console/lib/call/api.ts'
import { type CallFailed, failureMessage } from '#console/lib/call/CallFailed.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { newUuid } from '#console/lib/newUuid.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { endMaintenanceWindow, type MaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import { windowMessages } from './windowMessages.ts'

type Ended = Pick<MaintenanceWindow, 'id' | 'reason' | 'deviceCount' | 'schedule'>

/** It asks, and ends the current window, or the current occurrence of a weekly one. */
export async function endLasting({ id, reason, deviceCount, schedule }: Ended): Promise<void> {
  const text =
    schedule.kind === 'weekly' ? windowMessages.confirmEndTime(reason) : windowMessages.confirmEnd(deviceCount, reason)
  await end(id, false, { text })
}

/** It asks, and ends a weekly window for good. */
export async function endForGood({ id, reason }: Ended): Promise<void> {
  await end(id, true, { text: windowMessages.confirmEndForGood(reason), isDangerous: true })
}

/** It asks once and ends several current windows; each has its audit row, and they share one message. */
export async function endAll(windows: readonly Ended[]): Promise<void> {
  const devices = windows.reduce((sum, { deviceCount }) => sum + deviceCount, 0)
  const text = windowMessages.confirmEndAll(windows.length, devices)
  if (!(await confirmDialog({ title: 'End maintenance', text }))) return
  const bulkName = newUuid()
  const failures: CallFailed[] = []
  for (const { id } of windows) {
    await send(endMaintenanceWindow, { body: { id, isForGood: false }, bulkName }).catch((failure: CallFailed) => {
      failures.push(failure)
    })
  }
  const [failure] = failures
  if (failure) toasts.error(windowMessages.notEnded(failures.length, failureMessage(failure)))
  if (failures.length < windows.length) toasts.success(windowMessages.endedAll(windows.length - failures.length))
  await refreshAfter(endMaintenanceWindow)
}

const end = (id: number, isForGood: boolean, words: { readonly text: string; readonly isDangerous?: boolean }) =>
  confirmAndChange(
    endMaintenanceWindow,
    { body: { id, isForGood } },
    { title: 'End maintenance', done: windowMessages.ended, ...words },
  )
