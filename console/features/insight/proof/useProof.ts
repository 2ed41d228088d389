import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refresh } from '#console/lib/call/useCall.ts'
import type { QueryOf } from '#contract/call/call.ts'
import { listProofKeys, provePlay, provePlays, type SignedProof } from '#contract/http/insight/lightProofs.ts'

/** It asks when somebody presses a button, and keeps the answer until they ask again. */
export function useProof() {
  const [answer, setAnswer] = useState<SignedProof>()
  const [isBusy, setIsBusy] = useState(false)
  const ask = async (asked: Promise<SignedProof>) => {
    setIsBusy(true)
    try {
      setAnswer(await asked)
      // The first answer makes the first key.
      void refresh(listProofKeys)
    } catch (failure) {
      toasts.failure(failure)
    }
    setIsBusy(false)
  }
  return {
    answer,
    isBusy,
    proveOne: (query: QueryOf<typeof provePlay>) => ask(send(provePlay, { query })),
    proveList: (plays: string) => ask(send(provePlays, { body: { plays } })),
    forget: () => setAnswer(undefined),
  }
}
