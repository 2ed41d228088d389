import { useEffect, useState } from 'react'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'
import type { Call } from '#contract/call/call.ts'
import type { Values } from './formErrors.ts'
import { type CallFormOptions, useCallForm } from './useCallForm.ts'

interface RecordFormOptions<C extends Call, V extends Values> extends CallFormOptions<C, V> {
  /** Fields that make sense only together: who edits one of them keeps them all. */
  readonly asOne?: readonly (keyof V)[]
}

/**
 * A form of a record that others change too. Their changes show, but for what is being typed here; what is typed and not
 * saved is asked about before it is left.
 *
 * @param options `initial` are the values of the record as it was read last
 */
export function useRecordForm<C extends Call, V extends Values>(call: C, options: RecordFormOptions<C, V>) {
  const form = useCallForm(call, options)
  const { initial, asOne } = options
  const { isDirty, isBusy, load, rebase } = form
  const [begun, setBegun] = useState<V>()
  useUnsavedChanges(isDirty)
  const recordKey = JSON.stringify(initial)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another record is a reason
  useEffect(() => {
    if (isDirty) rebase(initial, asOne)
    else load(initial)
  }, [recordKey])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it was when the first change was made
  useEffect(() => setBegun(isDirty ? initial : undefined), [isDirty])
  const isOvertaken = isDirty && !isBusy && begun !== undefined && JSON.stringify(begun) !== recordKey
  return {
    ...form,
    discard: () => load(initial),
    /** The record before somebody changed it while it was being changed here; undefined: nobody did. */
    overtaken: isOvertaken ? begun : undefined,
  }
}
