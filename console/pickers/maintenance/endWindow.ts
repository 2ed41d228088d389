import { send } from '#console/lib/call/api.ts'
import { type CallFailed, failureMessage } from '#console/lib/call/CallFailed.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { newUuid } from '#console/lib/newUuid.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { endMaintenanceWindow, type MaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import { windowMessages } from './windowMessages.ts'

type Ended = Pick<MaintenanceWindow, 'id' | 'reason' | 'deviceCount' | 'schedule'>

/** Ends what lasts now, after a question: of a weekly one this time. */
export async function endLasting({ id, reason, deviceCount, schedule }: Ended): Promise<void> {
  const text =
    schedule.kind === 'weekly' ? windowMessages.confirmEndTime(reason) : windowMessages.confirmEnd(deviceCount, reason)
  if (await confirmDialog({ title: 'End maintenance', text })) await end(id, false)
}

/** Ends a weekly one for good, after a question. */
export async function endForGood({ id, reason }: Ended): Promise<void> {
  const text = windowMessages.confirmEndForGood(reason)
  if (await confirmDialog({ title: 'End maintenance', text, isDangerous: true })) await end(id, true)
}

/** Ends several that last now, after one question; each has its audit row, and those are told together. */
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

async function end(id: number, isForGood: boolean) {
  try {
    await send(endMaintenanceWindow, { body: { id, isForGood } })
    toasts.success(windowMessages.ended)
  } catch (failure) {
    toasts.failure(failure)
  }
  await refreshAfter(endMaintenanceWindow)
}
