import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { type ChangeInput, refreshAfter } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import type { AnswerOf, Call } from '#contract/call/call.ts'

interface Confirmed<C extends Call> {
  readonly title: string
  readonly text: string
  readonly isDangerous?: boolean
  /** It words the success, or does what follows from it before the screen is read again. */
  readonly done?: string | ((answer: AnswerOf<C>) => void | Promise<void>)
}

/** It asks, changes, and says so. After a refusal the screen is read again too, because it may be out of date. */
export async function confirmAndChange<C extends Call>(
  call: C,
  input: ChangeInput<C>,
  { done, ...words }: Confirmed<C>,
  onBusy: (isBusy: boolean) => void = () => {},
): Promise<void> {
  if (!(await confirmDialog({ ...words, call }))) return
  onBusy(true)
  try {
    const answer = await send(call, input as unknown as Parameters<typeof send<C>>[1])
    if (typeof done === 'string') toasts.success(done)
    else await done?.(answer)
  } catch (failure) {
    toasts.failure(failure)
  }
  await refreshAfter(call)
  onBusy(false)
}

/** It is `confirmAndChange` for a button that shows that its change is under way. */
export function useConfirmedChange<C extends Call>(call: C) {
  const [isBusy, setIsBusy] = useState(false)
  const confirm = (input: ChangeInput<C>, words: Confirmed<C>) => confirmAndChange(call, input, words, setIsBusy)
  return { confirm, isBusy }
}
