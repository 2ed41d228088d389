import type { Alert } from '#contract/http/alerting/alerts.ts'
import type { FieldId } from '#domain/ids.ts'

/** So many of the selected alerts are passed on to Analytics (rules/alerts 12). */
export const MOST_ANALYSED = 5
const AROUND_MS = 60 * 60 * 1000

/** What is needed of an alert. */
type Analysed = Pick<
  Alert,
  'deviceId' | 'deviceName' | 'deviceHasLeft' | 'measurementId' | 'measurementName' | 'eventTypeIdAnalytics' | 'created'
>

/** Those of which a chart can draw something: readings of a device that left are with whoever has it. */
export const analysable = <Some extends Analysed>(alerts: readonly Some[]) =>
  alerts.filter(
    (alert): alert is Some & { measurementId: FieldId } => alert.measurementId !== null && !alert.deviceHasLeft,
  )

/** The data parameter that opens Analytics with what these alerts are about, from an hour before to an hour after. */
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
