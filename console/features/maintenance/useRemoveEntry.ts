import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { refresh, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/dialogs.tsx'
import { formatMinute } from '#console/lib/time/time.ts'
import { deleteMaintenance, listMaintenance, type MaintenanceEntry } from '#contract/http/deviceMaintenance.ts'

/** Removing takes the row away at once; when it fails, the list is read again (P2 §4). */
export function useRemoveEntry() {
  const [goneIds, setGoneIds] = useState<readonly number[]>([])
  const change = useChange(deleteMaintenance, { refreshes: [listMaintenance] })
  const remove = async ({ id, startDt }: MaintenanceEntry) => {
    const text = messages.confirmRemoveMaintenance(formatMinute(startDt))
    if (!(await confirmDialog({ title: 'Remove maintenance', text, isDangerous: true }))) return
    setGoneIds((ids) => [...ids, id])
    try {
      await change.mutateAsync({ query: { id } })
    } catch {
      // The failure has been told by then; what is true stands on the server.
      await refresh(listMaintenance)
    } finally {
      setGoneIds((ids) => ids.filter((one) => one !== id))
    }
  }
  return { remove, isGone: ({ id }: Pick<MaintenanceEntry, 'id'>) => goneIds.includes(id) }
}
