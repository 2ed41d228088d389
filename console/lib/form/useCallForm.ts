import { useState } from 'react'
import { type CallFailed, failureMessage } from '#console/lib/call/CallFailed.ts'
import { fieldErrorsOf } from '#console/lib/call/fieldErrors.ts'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { type ChangeInput, useChange } from '#console/lib/call/useCall.ts'
import { newUuid } from '#console/lib/newUuid.ts'
import type { AnswerOf, Call } from '#contract/call/call.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { isRequired, longestText } from './fieldBounds.ts'
import { type Draft, type FieldErrors, type FormRules, formErrors, type Values } from './formErrors.ts'
import { useFieldForm } from './useFieldForm.ts'

export interface CallFormOptions<C extends Call, V extends Values> extends FormRules<C, V> {
  readonly initial: V
  /** It returns what is sent, where that is less than what is checked. */
  readonly sends?: (values: V) => Draft<C>
  readonly refusals?: Partial<Record<ErrorCode, keyof V & string>>
  readonly saved?: string
  /** The call answers the id of this kind of record. */
  readonly answersIdOf?: Parameters<typeof messages.noIdReturned>[0]
  readonly onSaved?: (answer: AnswerOf<C>) => void
  /** Failures stay in the form as `failure`; otherwise they are shown as toasts. */
  readonly keepsFailure?: boolean
  readonly onFailed?: (failure: CallFailed) => void
  readonly onChange?: () => void
}

/**
 * It is a form that makes a call. The contract entry decides what its fields must be, what the server finds wrong
 * stands at its field, and any other refusal is shown as a whole.
 */
export function useCallForm<C extends Call, V extends Values>(call: C, options: CallFormOptions<C, V>) {
  const { labels, sends = options.content, refusals = {}, keepsFailure = false } = options
  const [failure, setFailure] = useState<CallFailed>()
  // The answer may be lost, and submitting the form again must not create a second record.
  const [creationKey, setCreationKey] = useState(newUuid)
  const change = useChange(call, {
    showsFailure: true,
    onDone: (answer) => {
      setCreationKey(newUuid)
      if (options.answersIdOf && !(Number(answer) > 0)) return toasts.error(messages.noIdReturned(options.answersIdOf))
      if (options.saved) toasts.success(options.saved)
      options.onSaved?.(answer)
    },
  })
  const form = useFieldForm<V>({
    labels,
    initial: options.initial,
    requires: (name) => options.requires?.includes(name) || isRequired(call, name),
    longest: (name) => longestText(call, name),
    errors: (values) => formErrors(call, values, options),
    onSubmit: (values) => {
      setFailure(undefined)
      const input = inputOf(call, sends(values))
      change.mutate(call.takesIdempotencyKey ? { ...input, creationKey } : input, { onError: showFailure })
    },
    onChange: options.onChange,
  })

  const showFailure = (refused: CallFailed) => {
    const field = (refusals as Partial<Record<string, keyof V & string>>)[refused.code]
    const wrong = field ? ({ [field]: refused.message } as FieldErrors<V>) : fieldErrorsOf(refused, labels)
    if (wrong) form.refuse(wrong as FieldErrors<V>)
    else if (keepsFailure) setFailure(refused)
    else toasts.failure(refused)
    options.onFailed?.(refused)
  }
  return {
    ...form,
    isBusy: change.isPending,
    isDone: change.isSuccess,
    failure: failure && failureMessage(failure),
  }
}
export type CallForm<V extends Values> = Omit<ReturnType<typeof useCallForm<Call, V>>, never>

function inputOf<C extends Call>(call: C, content: Draft<C>): ChangeInput<C> {
  return (call.method === 'GET' ? { query: content } : { body: content }) as unknown as ChangeInput<C>
}
