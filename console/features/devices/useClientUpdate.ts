import { useState } from 'react'
import { send } from '#console/lib/api.ts'
import { confirmDialog } from '#console/lib/dialogs.tsx'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { useChange } from '#console/lib/useCall.ts'
import { getDeviceClient, updateClientVersion } from '#contract/http/clientUpdate.ts'
import { listDevices } from '#contract/http/device.ts'
import type { DeviceId } from '#domain/ids.ts'

/**
 * Has devices run the newest client after a question that names how many and which version. Each sentence of the answer
 * is a toast of its own (P1 §8).
 *
 * @param onBegun some of the devices are being updated
 */
export function useClientUpdate(onBegun: () => void) {
  const [isAsking, setIsAsking] = useState(false)
  const change = useChange(updateClientVersion, { refreshes: [listDevices] })

  const update = async (ids: readonly DeviceId[]) => {
    setIsAsking(true)
    const version = await newestVersion(ids)
    setIsAsking(false)
    const question = { title: 'Update client', text: messages.confirmClientUpdate(ids.length, version) }
    if (!(await confirmDialog(question))) return
    const told = (errors: readonly string[]) => {
      for (const error of errors) toasts.error(error)
      // Where there is a release, each sentence is about one device, and the others have begun.
      const begunCount = errors.length > 0 && version === undefined ? 0 : ids.length - errors.length
      if (begunCount <= 0) return
      toasts.success(messages.clientUpdateBegun(begunCount))
      onBegun()
    }
    change.mutate({ body: [...ids] }, { onSuccess: told })
  }
  return { update, isBusy: isAsking || change.isPending }
}

/** undefined: not to be had now; the server decides in any case. */
async function newestVersion([deviceId]: readonly DeviceId[]): Promise<string | undefined> {
  if (deviceId === undefined) return undefined
  const client = await send(getDeviceClient, { query: { deviceId } }).catch(() => undefined)
  return client?.newestVersion ?? undefined
}
