import { useState } from 'react'
import { send } from '#console/lib/api.ts'
import { toasts } from '#console/lib/toasts.ts'
import { type Alert, listAlerts, MOST_CLOSED_AT_ONCE } from '#contract/http/alert.ts'
import { ALERT_STATUS } from '#domain/alerts/alertWords.ts'
import type { AlertId } from '#domain/ids.ts'
import { type AlertListFilter, alertFilterQuery } from './alertListAddress.ts'
import { alertPageIn } from './useAlertList.ts'

const READ_PAGE_SIZE = 500

/** Alerts chosen across pages of one filter, at most as many as can be closed at once. */
export function useAlertSelection(filter: AlertListFilter, shown: readonly Alert[]) {
  const filterKey = JSON.stringify(filter)
  const [kept, setKept] = useState<{ readonly filterKey: string; readonly alerts: ReadonlyMap<AlertId, Alert> }>()
  const [isReadingAll, setIsReadingAll] = useState(false)
  const chosen = kept?.filterKey === filterKey ? kept.alerts : NONE
  const current = new Map(shown.map((alert) => [alert.id, alert]))
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
    /** Those that can be closed. */
    opened: alerts.filter(({ statusId }) => statusId === ALERT_STATUS.opened),
    has: (id: AlertId) => chosen.has(id),
    toggle: (alert: Alert) => (chosen.has(alert.id) ? remove([alert]) : add([alert])),
    add,
    remove,
    clear: () => setKept(undefined),
    isReadingAll,
    /** Everything that the filter shows, page after page. */
    addAll: async () => {
      setIsReadingAll(true)
      try {
        add(await readAlerts(filter, MOST_CLOSED_AT_ONCE))
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

async function readAlerts(filter: AlertListFilter, most: number): Promise<readonly Alert[]> {
  const alerts: Alert[] = []
  for await (const rows of alertBatches(filter)) {
    alerts.push(...rows)
    if (alerts.length >= most) break
  }
  return alerts
}

/** All alerts of a filter, newest first, as the server hands them out. Throws `CallFailed`. */
export async function* alertBatches(filter: AlertListFilter, signal?: AbortSignal): AsyncGenerator<readonly Alert[]> {
  let next: string | null | undefined
  do {
    const query = { ...alertFilterQuery(filter), pageSize: READ_PAGE_SIZE, ...(next ? { next } : { rowNum: 1 }) }
    const page = alertPageIn(await send(listAlerts, { query, signal }))
    yield page.rows
    next = page.next
  } while (next)
}
