import { useEffect } from 'react'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'
import type { Call } from '#contract/call/call.ts'
import type { Values } from './formErrors.ts'
import { type CallFormOptions, useCallForm } from './useCallForm.ts'

/**
 * A form of a record that others change too. Their changes show, unless that would take away what is being typed here;
 * what is typed and not saved is asked about before it is left.
 *
 * @param options `initial` are the values of the record as it was read last
 */
export function useRecordForm<C extends Call, V extends Values>(call: C, options: CallFormOptions<C, V>) {
  const form = useCallForm(call, options)
  const { initial } = options
  const { isDirty, load } = form
  useUnsavedChanges(isDirty)
  const recordKey = JSON.stringify(initial)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another record is a reason
  useEffect(() => {
    if (!isDirty) load(initial)
  }, [recordKey])
  return { ...form, discard: () => load(initial) }
}
