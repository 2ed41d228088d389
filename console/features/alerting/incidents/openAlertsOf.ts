import { batchesOf } from '#console/lib/list/useList.ts'
import { MOST_CLOSED_AT_ONCE } from '#contract/http/alerting/alerts.ts'
import { listIncidentAlerts } from '#contract/http/alerting/incidents.ts'
import type { AlertId, IncidentId } from '#domain/ids.ts'

const BATCH_ROWS = 500

/**
 * It reads the alerts that are still open, up to the number that can be closed at once.
 *
 * @throws CallFailed
 */
export async function openAlertsOf(id: IncidentId): Promise<readonly AlertId[]> {
  const open: AlertId[] = []
  for await (const alerts of batchesOf(listIncidentAlerts, { id }, BATCH_ROWS)) {
    open.push(...alerts.filter(({ isOpen }) => isOpen).map(({ alertId }) => alertId))
    if (open.length >= MOST_CLOSED_AT_ONCE) break
  }
  return open.slice(0, MOST_CLOSED_AT_ONCE)
}
