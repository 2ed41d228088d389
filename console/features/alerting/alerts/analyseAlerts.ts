import type { Alert } from '#contract/http/alerting/alerts.ts'
import type { FieldId } from '#domain/ids.ts'

/** Analytics takes at most this many of the selected alerts (rules/alerts 12). */
export const MOST_ANALYSED = 5
const AROUND_MS = 60 * 60 * 1000

type Analysed = Pick<
  Alert,
  'deviceId' | 'deviceName' | 'deviceHasLeft' | 'measurementId' | 'measurementName' | 'eventTypeIdAnalytics' | 'created'
>

/** A chart can draw only these: the readings of a device that left belong to whoever has it now. */
export const analysable = <Some extends Analysed>(alerts: readonly Some[]) =>
  alerts.filter(
    (alert): alert is Some & { measurementId: FieldId } => alert.measurementId !== null && !alert.deviceHasLeft,
  )

export function analyseAlertsData(alerts: readonly Analysed[]) {
  const taken = analysable(alerts).slice(0, MOST_ANALYSED)
  const moments = taken.map(({ created }) => Date.parse(created))
  return {
    metric: taken.map((alert) => ({
      deviceId: alert.deviceId,
      deviceName: alert.deviceName,
      metricId: alert.measurementId,
      metricName: alert.measurementName,
      evTypeId: alert.eventTypeIdAnalytics,
    })),
    dateFrom: new Date(Math.min(...moments) - AROUND_MS).toISOString(),
    dateTo: new Date(Math.max(...moments) + AROUND_MS).toISOString(),
    removeExisting: true,
  }
}
