import { useState } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import { type ChangeInput, refreshAfter, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import type { Call } from '#contract/call/call.ts'

interface Named {
  readonly id: number
}

interface RemovalTexts<Row> {
  readonly title: string
  readonly question: (row: Row) => string
  /** It words the success where the missing row does not say enough. */
  readonly done?: (row: Row) => string
}

/**
 * It asks, and removes a row of a list by a call that takes its id. The row disappears at once; when the server
 * refuses, the list is read again (rules/lists 7).
 */
export function useRemoval<C extends Call, Row extends Named>(call: C, { title, question, done }: RemovalTexts<Row>) {
  const [goneIds, setGoneIds] = useState<readonly number[]>([])
  const change = useChange(call)
  const remove = async (row: Row) => {
    if (!(await confirmDialog({ title, text: question(row), isDangerous: true, call }))) return
    setGoneIds((ids) => [...ids, row.id])
    try {
      await change.mutateAsync({ query: { id: row.id } } as unknown as ChangeInput<C>)
      if (done) toasts.success(done(row))
    } catch {
      // The failure has been shown by then, and only the server knows the true state.
      await refreshAfter(call)
    } finally {
      setGoneIds((ids) => ids.filter((id) => id !== row.id))
    }
  }
  return { remove: (row: Row) => void remove(row), isGone: ({ id }: Named) => goneIds.includes(id) }
}
