import { useState } from 'react'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import type { Call } from '#contract/call/call.ts'

/** It runs one action at a time, and keeps the reason for a refusal until the next press. */
export function usePress() {
  const [failure, setFailure] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  /**
   * @param make returns the message of success, or undefined for none
   * @param call the call that changes something; absent where the action only reads
   */
  const press = async (make: () => Promise<string | undefined>, call?: Call) => {
    setFailure(undefined)
    setIsBusy(true)
    try {
      const done = await make()
      if (done !== undefined) toasts.success(done)
    } catch (refused) {
      setFailure(failureMessage(refused))
    } finally {
      setIsBusy(false)
    }
    if (call) await refreshAfter(call)
  }
  return { press, failure, isBusy }
}
