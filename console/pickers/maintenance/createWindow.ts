import { send } from '#console/lib/call/api.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { createMaintenanceWindow, type WindowTarget } from '#contract/http/alerting/maintenanceWindows.ts'
import type { WindowDraft } from './WindowModal.tsx'
import { windowMessages } from './windowMessages.ts'

export async function createWindow(target: WindowTarget, draft: WindowDraft): Promise<void> {
  const { deviceCount } = await send(createMaintenanceWindow, { body: { target, ...draft } })
  toasts.success(windowMessages.begun(deviceCount))
  await refreshAfter(createMaintenanceWindow)
}
