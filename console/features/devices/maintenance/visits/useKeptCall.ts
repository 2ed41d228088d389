import { useEffect, useState } from 'react'
import { type CallOptions, type CallResult, useCall } from '#console/lib/call/useCall.ts'
import { useUser } from '#console/lib/session/session.ts'
import type { AnswerOf, Call, QuestionOf } from '#contract/call/call.ts'
import { type KeptAnswer, keepAnswer, keptAnswer } from './visitQueue.ts'

export interface KeptResult<Answer> {
  readonly data: Answer | undefined
  /** Set when the network does not answer and this is what was kept then. */
  readonly keptAt: number | undefined
  readonly isMissing: boolean
}

/** Reads by a call, and keeps the answer on this device for times without network. */
export function useKeptCall<C extends Call>(
  call: C,
  question: QuestionOf<C>,
  options: CallOptions<C> = {},
): KeptResult<AnswerOf<C>> & { readonly live: CallResult<C> } {
  const { id } = useUser()
  const name = `${call.path} ${JSON.stringify(question)}`
  const live = useCall(call, question, options)
  const [kept, setKept] = useState<KeptAnswer<AnswerOf<C>> | 'none'>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: one answer is kept once
  useEffect(() => {
    if (live.data !== undefined && !live.isPlaceholderData) void keepAnswer(name, id, live.data)
  }, [live.dataUpdatedAt])
  useEffect(() => {
    let isOver = false
    if (options.enabled === false) return
    void keptAnswer<AnswerOf<C>>(name, id).then((found) => isOver || setKept(found ?? 'none'))
    return () => {
      isOver = true
    }
  }, [name, id, options.enabled])
  const isLive = live.data !== undefined && !live.isError
  const fallback = kept === undefined || kept === 'none' ? undefined : kept
  return {
    live,
    data: live.data ?? fallback?.answer,
    keptAt: isLive || live.isPending ? undefined : fallback?.at,
    isMissing: live.data === undefined && live.isError && kept === 'none',
  }
}
