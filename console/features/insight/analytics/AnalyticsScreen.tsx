import { type ComponentProps, useRef, useState } from 'react'
import { saveFile } from '#console/lib/call/download.ts'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { reload } from '#console/lib/call/useCall.ts'
import { saveCsv } from '#console/lib/csv.ts'
import { useUser } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ChartLoading } from '#console/ui/chart/ChartLoading.tsx'
import { drawnColour } from '#console/ui/chart/series/metricColours.ts'
import type { TimeChartHandle } from '#console/ui/chart/TimeChart.tsx'
import type { Period } from '#console/ui/filter/period.ts'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { useScheme } from '#console/ui/style/scheme.ts'
import { AnalyticsActions } from './AnalyticsActions.tsx'
import { AnalyticsToolbar } from './AnalyticsToolbar.tsx'
import { ChartPanel } from './ChartPanel.tsx'
import { EtlHeader } from './EtlHeader.tsx'
import type { MetricDialog } from './MetricModal.tsx'
import { MetricTable } from './MetricTable.tsx'
import { bandInUse } from './read/analyticsAddress.ts'
import {
  hasMetric,
  isMeasurement,
  type MetricChoice,
  withEdited,
  withMetric,
  withoutMetric,
} from './read/metricChoice.ts'
import { useAlertMarkers } from './read/useAlertMarkers.ts'
import { useAnalyticsAddress } from './read/useAnalyticsAddress.ts'
import { useLimits } from './read/useLimits.ts'
import { useMetricNames } from './read/useMetricNames.ts'
import { useNewestReadings } from './read/useNewestReadings.ts'
import { usePlannedShade } from './read/usePlannedShade.ts'
import { useReadings, useWeekBefore } from './read/useReadings.ts'
import { drawnOf, useShownReadings } from './read/useShownReadings.ts'
import { readingsCsv } from './readingsCsv.ts'
import { SuggestedCharts } from './SuggestedCharts.tsx'
import './analytics.css'

const AlertsPanel = lazyPart(() => import('./OpenedAlertsPanel.tsx').then((part) => part.AlertsPanel))
const MetricModal = lazyDialog(() => import('./MetricModal.tsx').then((part) => part.MetricModal))

export function AnalyticsScreen() {
  const { isInternal } = useUser()
  const { address, unread, go, isStale, reloadNow, answer, shown, alerts, options, shade, limits, rows } =
    useAnalytics()
  const { metrics } = address
  const [dialog, setDialog] = useState<MetricDialog>()
  const submit = (metric: MetricChoice) => {
    if (dialog?.kind === 'edit') go({ metrics: withEdited(metrics, dialog.metric, metric) })
    else if (hasMetric(metrics, metric)) toasts.info('This metric is already in the chart.')
    else go({ metrics: withMetric(metrics, metric) })
    setDialog(undefined)
  }
  const exports = useExports(shown)
  const devices = [...new Map(rows.map((row) => [row.deviceId, { id: row.deviceId, name: row.deviceName }])).values()]

  return (
    <Screen
      title="Analytics"
      unread={unread}
      subtitle={isInternal ? <EtlHeader /> : undefined}
      actions={
        <AnalyticsActions address={address} onChange={go} exports={exports} onAdd={() => setDialog({ kind: 'add' })} />
      }
    >
      <Panel>
        <AnalyticsToolbar
          address={address}
          onChange={go}
          isStale={isStale}
          isLoading={answer.isFetching}
          onReload={reloadNow}
          options={{ ...options, lanesOf: devices.find(({ id }) => id === address.lanesOf)?.id ?? devices[0]?.id }}
        />
        <div className="analytics-chart">
          {metrics.length === 0 ? (
            <SuggestedCharts />
          ) : (
            <ChartArea
              answer={answer}
              readings={shown}
              address={address}
              alerts={alerts}
              shade={shade}
              onChange={go}
              chart={exports.chart}
              devices={devices}
              limits={limits}
            />
          )}
        </div>
      </Panel>
      {metrics.length > 0 && (
        <Panel title="Metrics" meta={`${formatMinute(shown.shown.from)} – ${formatMinute(shown.shown.to)}`}>
          <MetricTable
            rows={rows}
            onEdit={(metric) => setDialog({ kind: 'edit', metric })}
            onRemove={(metric) => go({ metrics: withoutMetric(metrics, metric) })}
          />
        </Panel>
      )}
      {metrics.length > 0 && address.showsAlerts && <AlertsPanel alerts={alerts} />}
      {dialog && <MetricModal {...{ dialog, metrics }} onSubmit={submit} onClose={() => setDialog(undefined)} />}
    </Screen>
  )
}

function useAnalytics() {
  const scheme = useScheme()
  const { address, unread, go, applied, isStale, apply } = useAnalyticsAddress()
  const { metrics, zoom } = address
  const named = useMetricNames(metrics)
  const band = bandInUse(address.band, applied.stepMinutes, metrics)
  const answer = useReadings(metrics, applied)
  const before = useWeekBefore(metrics, applied, address.comparesWeek)
  const shown = useShownReadings({
    before,
    metrics: named,
    readings: metrics.length === 0 ? undefined : answer.data,
    period: applied.period,
    zoom: isStale ? undefined : zoom,
    hasBand: band ?? false,
  })
  const alerts = useAlertMarkers({
    metrics: metrics.filter(({ isHidden }) => !isHidden),
    series: shown.series,
    period: applied.period,
    shown: shown.shown,
    isOn: address.showsAlerts,
  })
  const planned = usePlannedShade(metrics, applied.period, address.showsPlanned)
  const newest = useNewestReadings({
    metrics,
    statistics: shown.statistics,
    stepMinutes: applied.stepMinutes,
    shown: shown.shown,
    answeredMs: answer.dataUpdatedAt,
  })
  const limits = useLimits(metrics)
  const rows = named.map((metric, index) => ({
    ...metric,
    mark: { color: drawnColour(metric.color, scheme), dash: shown.series[index]?.dash },
    statistics: shown.statistics[index],
    newest: newest[index],
    problem: isMeasurement(metric)
      ? answer.data?.failed.get(metric.deviceId)?.message
      : 'There is no such measurement.',
  }))
  const options = {
    band,
    planned: planned.hasOneDevice ? address.showsPlanned : undefined,
    limits: limits.length > 0 ? address.showsLimits : undefined,
  }
  const reloadNow = () => (isStale ? apply() : void reload(answer))
  return { address, unread, go, isStale, reloadNow, answer, shown, alerts, options, shade: planned.shade, limits, rows }
}

interface AreaProps extends ComponentProps<typeof ChartPanel> {
  readonly answer: ReturnType<typeof useReadings>
}

function ChartArea({ answer, ...props }: AreaProps) {
  const { readings, address } = props
  const nothing = <EmptyNote title={messages.noData}>There are no readings of these metrics in this period.</EmptyNote>
  if (!address.metrics.some(isMeasurement)) return nothing
  return (
    <AsyncView
      query={answer}
      skeleton={address.view === 'chart' ? <ChartLoading series={readings.series} /> : undefined}
    >
      {() => (readings.hasReadings ? <ChartPanel {...props} /> : nothing)}
    </AsyncView>
  )
}

function useExports(shown: ReturnType<typeof useShownReadings>) {
  const chart = useRef<TimeChartHandle>(null)
  const csv = () => {
    try {
      saveCsv(`${fileName(shown.shown)}.csv`, readingsCsv(drawnOf(shown), shown.timesS, shown.moments))
    } catch (failure) {
      toasts.failure(failure)
    }
  }
  const png = async () => {
    try {
      const picture = await chart.current?.png(
        `Analytics, ${formatMinute(shown.shown.from)} – ${formatMinute(shown.shown.to)}`,
      )
      if (picture) saveFile(`${fileName(shown.shown)}.png`, picture)
    } catch (failure) {
      toasts.failure(failure)
    }
  }
  return { chart, csv, png, isPossible: shown.hasReadings }
}

const fileName = ({ from, to }: Period) => `Analytics ${formatMinute(from)} - ${formatMinute(to)}`.replaceAll(':', '-')
