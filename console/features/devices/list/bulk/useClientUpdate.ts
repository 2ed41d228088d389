import { useState } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { send } from '#console/lib/call/api.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { alertDialog, confirmDialog } from '#console/lib/notice/dialogs.ts'
import { useMay } from '#console/lib/session/session.ts'
import { checkClientUpdate, leaveOutOfUpdate, updateClientVersion } from '#contract/http/software/rollouts.ts'
import type { DeviceId } from '#domain/ids.ts'
import { waitingLabel } from '#domain/rollouts/candidate.ts'

/**
 * It updates devices to the newest client after a question that names their number and the version. Each sentence of
 * the answer is a toast of its own (rules/devices 11).
 *
 * @param onBegun called when some of the devices are being updated
 */
export function useClientUpdate(onBegun: () => void) {
  const [isAsking, setIsAsking] = useState(false)
  const change = useChange(updateClientVersion)
  const leavesOut = useChange(leaveOutOfUpdate)
  const mayLeaveOut = useMay(leaveOutOfUpdate.permission)

  /** It reads what the server would refuse now, and offers to take devices that wait in another rollout out of it. */
  const knownNow = async (ids: readonly DeviceId[]) => {
    const known = await knownBefore(ids)
    if (!known?.version || !mayLeaveOut || known.waiting.length === 0) return known
    const sentences = known.waiting.map(({ deviceName, state, updateId }) => waitingLabel(deviceName, state, updateId))
    const text = deviceMessages.confirmTakeOut(shortened(sentences), known.version)
    if (!(await confirmDialog({ title: 'Waiting in another update', text }))) return known
    for (const { updateId, deviceId } of known.waiting) {
      await leavesOut.mutateAsync({ body: { id: updateId, deviceId } }).catch(() => undefined)
    }
    return knownBefore(ids)
  }

  const update = async (ids: readonly DeviceId[]) => {
    setIsAsking(true)
    const known = await knownNow(ids)
    setIsAsking(false)
    const refusals = known?.refusals ?? []
    if (known && (known.version === null || refusals.length >= ids.length)) {
      const hope = known.version === null ? [deviceMessages.waitForRelease] : []
      await alertDialog('Update client', [...shortened(refusals), ...hope].join('\n'))
      return
    }
    const question = deviceMessages.confirmClientUpdate(ids.length - refusals.length, known?.version ?? undefined)
    const leftOut = refusals.length === 0 ? [] : ['', deviceMessages.notUpdated, ...shortened(refusals)]
    const text = [question, ...leftOut].join('\n')
    if (!(await confirmDialog({ title: 'Update client', text, call: updateClientVersion }))) return
    const report = (errors: readonly string[]) => {
      for (const error of errors) toasts.error(error)
      // If a release exists, each sentence concerns one device, and the others have begun.
      const begunCount = errors.length > 0 && known === undefined ? 0 : ids.length - errors.length
      if (begunCount <= 0) return
      toasts.success(deviceMessages.clientUpdateBegun(begunCount))
      onBegun()
    }
    change.mutate({ body: [...ids] }, { onSuccess: report })
  }
  return { update, isBusy: isAsking || change.isPending }
}

/** It returns undefined where this cannot be read; the server decides in any case. */
const knownBefore = (ids: readonly DeviceId[]) =>
  send(checkClientUpdate, { body: { deviceIds: [...ids] } }).catch(() => undefined)

const MOST_SENTENCES = 6

function shortened(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= MOST_SENTENCES) return sentences
  return [...sentences.slice(0, MOST_SENTENCES), `and ${sentences.length - MOST_SENTENCES} more.`]
}
