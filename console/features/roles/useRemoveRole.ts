import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { refresh, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/dialogs.tsx'
import { type AppRole, deleteRole, listRoles } from '#contract/http/appRole.ts'

/** Removing takes the row away at once; when it fails, the list is read again (P2 §4). */
export function useRemoveRole() {
  const [goneIds, setGoneIds] = useState<readonly number[]>([])
  const change = useChange(deleteRole, { refreshes: [listRoles] })
  const remove = async ({ id, name }: AppRole) => {
    const text = messages.confirmRemoveRole(name)
    if (!(await confirmDialog({ title: 'Remove role', text, isDangerous: true }))) return
    setGoneIds((ids) => [...ids, id])
    try {
      await change.mutateAsync({ query: { id } })
    } catch {
      // The failure has been told by then; what is true stands on the server.
      await refresh(listRoles)
    } finally {
      setGoneIds((ids) => ids.filter((one) => one !== id))
    }
  }
  return { remove, isGone: ({ id }: Pick<AppRole, 'id'>) => goneIds.includes(id) }
}
