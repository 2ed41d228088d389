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
  /** Said when it is done, where the row that is gone does not say enough. */
  readonly done?: (row: Row) => string
}

/**
 * Removes a row of a list after a question, by a call that takes its id. The row is away at once; when the server
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
      // The failure has been told by then; what is true stands on the server.
      await refreshAfter(call)
    } finally {
      setGoneIds((ids) => ids.filter((id) => id !== row.id))
    }
  }
  return { remove: (row: Row) => void remove(row), isGone: ({ id }: Named) => goneIds.includes(id) }
}
