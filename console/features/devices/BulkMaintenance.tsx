import { Button } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'
import { useState } from 'react'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { useMay } from '#console/lib/call/session.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { useOffers } from '#console/lib/offers/offers.ts'
import { WindowModal, type WindowWish } from '#console/pickers/maintenance/WindowModal.tsx'
import { windowMessages } from '#console/pickers/maintenance/windowMessages.ts'
import { createMaintenanceWindow } from '#contract/http/maintenance/maintenanceWindow.ts'
import type { DeviceId } from '#domain/ids.ts'
import { newBulkName } from './bulkName.ts'
import { runBulk } from './bulkRun.ts'

/** Takes the chosen devices under maintenance: a window for each, so that each ends by itself. */
export function BulkMaintenance({ deviceIds }: { readonly deviceIds: readonly DeviceId[] }) {
  const may = useMay(createMaintenanceWindow.permission)
  const [isOpen, setIsOpen] = useState(false)
  const [first] = deviceIds
  const open = () => (first === undefined ? toasts.warning(messages.noDevicesSelected) : setIsOpen(true))
  useOffers([
    {
      deed: 'maintenance.plan',
      id: 'maintenance.plan selected',
      label: `Maintenance of ${deviceIds.length} selected`,
      otherWords: 'window quiet silence alerts',
      icon: IconTool,
      refused: first === undefined ? messages.noDevicesSelected : undefined,
      run: open,
    },
  ])
  if (!may) return null
  return (
    <>
      <Button variant="default" leftSection={<IconTool size={14} aria-hidden />} onClick={open}>
        Maintenance
      </Button>
      {isOpen && first !== undefined && (
        <WindowModal
          title={`Maintenance of ${deviceIds.length} ${deviceIds.length === 1 ? 'device' : 'devices'}`}
          target={{ kind: 'device', deviceId: first }}
          others={deviceIds.length - 1}
          onSubmit={(_, wish) => setAll(deviceIds, wish)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

/** @throws CallFailed where it is done for no device */
async function setAll(deviceIds: readonly DeviceId[], wish: WindowWish): Promise<void> {
  const bulkName = newBulkName()
  const failures: CallFailed[] = []
  const stopped = new AbortController()
  const work = async (deviceId: DeviceId) => {
    try {
      const body = { target: { kind: 'device' as const, deviceId }, ...wish }
      await sendOrQueue(createMaintenanceWindow, { body, bulkName })
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure
      failures.push(failure)
      if (failure.status === 401) stopped.abort()
    }
  }
  await runBulk({ items: deviceIds, work, stopped: stopped.signal })
  await refreshAfter(createMaintenanceWindow)
  const [failure] = failures
  if (failure && failures.length === deviceIds.length) throw failure
  toasts.success(windowMessages.begun(deviceIds.length - failures.length))
  if (failure) toasts.warning(windowMessages.notSetFor(failures.length, failure.message))
}
