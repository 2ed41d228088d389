import { useState } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import { type Alert, MOST_CLOSED_AT_ONCE } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import type { AlertId } from '#domain/ids.ts'
import type { AlertList } from './useAlertList.ts'

/** The selection spans the pages of one filter, up to the number that can be closed at once. */
export function useAlertSelection({ filter, rows, batches }: AlertList) {
  const filterKey = JSON.stringify(filter)
  const [kept, setKept] = useState<{ readonly filterKey: string; readonly alerts: ReadonlyMap<AlertId, Alert> }>()
  const [isReadingAll, setIsReadingAll] = useState(false)
  const chosen = kept?.filterKey === filterKey ? kept.alerts : NONE
  const current = new Map(rows.map((alert) => [alert.id, alert]))
  const alerts = [...chosen.values()].map((alert) => current.get(alert.id) ?? alert)

  const set = (next: Iterable<readonly [AlertId, Alert]>) =>
    setKept({ filterKey, alerts: new Map([...next].slice(0, MOST_CLOSED_AT_ONCE)) })
  const add = (added: readonly Alert[]) => set([...chosen, ...added.map((alert) => [alert.id, alert] as const)])
  const remove = (removed: readonly Alert[]) => {
    const ids = new Set(removed.map(({ id }) => id))
    set([...chosen].filter(([id]) => !ids.has(id)))
  }

  return {
    alerts,
    count: chosen.size,
    opened: alerts.filter(({ statusId }) => statusId === ALERT_STATUS.opened),
    has: (id: AlertId) => chosen.has(id),
    toggle: (alert: Alert) => (chosen.has(alert.id) ? remove([alert]) : add([alert])),
    add,
    remove,
    clear: () => setKept(undefined),
    isReadingAll,
    addAll: async () => {
      setIsReadingAll(true)
      try {
        const read: Alert[] = []
        for await (const some of batches()) {
          read.push(...some)
          if (read.length >= MOST_CLOSED_AT_ONCE) break
        }
        add(read)
      } catch (failure) {
        toasts.failure(failure)
      } finally {
        setIsReadingAll(false)
      }
    },
  }
}
export type AlertSelection = ReturnType<typeof useAlertSelection>

const NONE: ReadonlyMap<AlertId, Alert> = new Map()
