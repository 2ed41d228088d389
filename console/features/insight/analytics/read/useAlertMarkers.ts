import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { send } from '#console/lib/call/api.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import type { ChartMarker } from '#console/ui/chart/markers.ts'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { listAnalyticsAlerts } from '#contract/http/alerting/alerts.ts'
import type { AlertId } from '#domain/ids.ts'
import { type MetricChoice, metricKey } from './metricChoice.ts'

export interface ShownAlert {
  readonly id: AlertId
  readonly openedAt: Date
  readonly title: string
  readonly conditionText: string
  readonly deviceName: string
  readonly metric: ChartSeries
}

export interface AlertMarkers {
  readonly alerts: readonly ShownAlert[]
  readonly markers: readonly ChartMarker[]
  readonly onMarker: (marker: ChartMarker) => void
  readonly hasFailed: boolean
}

interface Wanted {
  readonly metrics: readonly MetricChoice[]
  readonly series: readonly ChartSeries[]
  readonly period: Period
  readonly shown: Period
  readonly isOn: boolean
}

/** It reads the alerts that opened within the period metric by metric, so that each has the colour of its line. */
export function useAlertMarkers({ metrics, series, period, shown, isOn }: Wanted): AlertMarkers {
  const navigate = useNavigate()
  const [dateFrom, dateTo] = [period.from.toISOString(), period.to.toISOString()]
  const { answers, hasFailed } = useQueries({
    queries: (isOn ? metrics : []).map(({ deviceId, metricId }) => ({
      queryKey: [listAnalyticsAlerts.path, deviceId, metricId, dateFrom, dateTo],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        send(listAnalyticsAlerts, { query: { deviceId, measurementId: metricId, dateFrom, dateTo }, signal }),
    })),
    combine: (results) => ({
      answers: results.map(({ data }) => data),
      hasFailed: results.some(({ isError }) => isError),
    }),
  })
  const keys = metrics.map(metricKey).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: metrics come as new objects, only which they are counts
  const all = useMemo(
    () =>
      metrics
        .flatMap((one, index) => {
          const metric = series.find(({ key }) => key === metricKey(one))
          return metric === undefined ? [] : (answers[index] ?? []).map((row) => alertOf(row, metric))
        })
        .sort((one, other) => other.openedAt.getTime() - one.openedAt.getTime()),
    [keys, series, answers],
  )
  const markers = useMemo(() => all.map((alert) => markerOf(alert, alertDetails(alert.id))), [all])
  return {
    alerts: all.filter(({ openedAt }) => openedAt >= shown.from && openedAt < shown.to),
    markers,
    onMarker: ({ href }) => navigate(href as Address),
    hasFailed,
  }
}

type Row = (typeof listAnalyticsAlerts)['answer']['_output'][number]

const alertOf = ({ id, title, conditionText, created, deviceName }: Row, metric: ChartSeries): ShownAlert => ({
  id,
  title,
  conditionText,
  deviceName,
  openedAt: new Date(created),
  metric,
})

const markerOf = ({ id, openedAt, deviceName, title, metric }: ShownAlert, href: string): ChartMarker => ({
  key: `${metric.key}/${id}`,
  atS: openedAt.getTime() / 1000,
  text: `${formatDateTime(openedAt)} · ${deviceName}: ${title}`,
  color: metric.color,
  href,
})
