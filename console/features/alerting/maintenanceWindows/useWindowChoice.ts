import { useState } from 'react'
import type { MaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'

/** Only a current window can be ended: one that has not begun is deleted instead. */
export const canEnd = ({ state, mayChange }: MaintenanceWindow) => state === 'now' && mayChange

/** Windows of this page can be selected and ended together; one that has ended meanwhile leaves the selection. */
export function useWindowChoice(windows: readonly MaintenanceWindow[]) {
  const [kept, setKept] = useState<ReadonlySet<number>>(new Set())
  const chosen = windows.filter((window) => kept.has(window.id) && canEnd(window))
  const ids = new Set(chosen.map(({ id }) => id))
  return {
    chosen,
    ids,
    set: (next: readonly MaintenanceWindow[]) => setKept(new Set(next.map(({ id }) => id))),
    toggle: ({ id }: MaintenanceWindow) =>
      setKept(new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])),
  }
}
export type WindowChoice = ReturnType<typeof useWindowChoice>
