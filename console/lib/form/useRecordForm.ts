import { useEffect, useState } from 'react'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'
import type { Call } from '#contract/call/call.ts'
import type { Values } from './formErrors.ts'
import { type CallFormOptions, useCallForm } from './useCallForm.ts'

interface RecordFormOptions<C extends Call, V extends Values> extends CallFormOptions<C, V> {
  /** These fields make sense only together, so whoever edits one of them keeps them all. */
  readonly asOne?: readonly (keyof V)[]
}

/**
 * It is a form of a record that others change too. Their changes appear, except where somebody is typing here; leaving
 * with unsaved changes asks first.
 *
 * @param options `initial` holds the values of the record as it was last read
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
    /** The record before somebody changed it while it was being edited here; undefined if nobody has. */
    overtaken: isOvertaken ? begun : undefined,
  }
}
