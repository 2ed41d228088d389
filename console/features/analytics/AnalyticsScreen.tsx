import { Button, Modal, useComputedColorScheme } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { saveCsv } from '#console/lib/csv.ts'
import { saveFile } from '#console/lib/download.ts'
import { messages } from '#console/lib/messages.ts'
import { useUser } from '#console/lib/session.ts'
import { formatMinute } from '#console/lib/time.ts'
import { toasts } from '#console/lib/toasts.ts'
import { reload } from '#console/lib/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ChartLoading } from '#console/ui/chart/ChartLoading.tsx'
import { drawnColour, nextColour } from '#console/ui/chart/metricColours.ts'
import type { TimeChartHandle } from '#console/ui/chart/TimeChart.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { Period } from '#console/ui/period.ts'
import { Screen } from '#console/ui/Screen.tsx'
import { AlertsPanel } from './AlertsPanel.tsx'
import { AnalyticsToolbar } from './AnalyticsToolbar.tsx'
import { ChartPanel } from './ChartPanel.tsx'
import { EtlHeader } from './EtlHeader.tsx'
import { MetricForm } from './MetricForm.tsx'
import { MetricTable } from './MetricTable.tsx'
import {
  hasMetric,
  isMeasurement,
  type MetricChoice,
  MOST_METRICS,
  withEdited,
  withMetric,
  withoutMetric,
} from './metricChoice.ts'
import { readingsCsv } from './readingsCsv.ts'
import { useAlertMarkers } from './useAlertMarkers.ts'
import { useAnalyticsAddress } from './useAnalyticsAddress.ts'
import { useMetricNames } from './useMetricNames.ts'
import { usePlannedShade } from './usePlannedShade.ts'
import { useReadings } from './useReadings.ts'
import { useShownReadings } from './useShownReadings.ts'
import './analytics.css'

type Dialog = { readonly kind: 'add' } | { readonly kind: 'edit'; readonly metric: MetricChoice }

export function AnalyticsScreen() {
  const { isInternal } = useUser()
  const scheme = useComputedColorScheme('dark')
  const { address, unread, go, applied, isStale, apply } = useAnalyticsAddress()
  const { metrics, zoom } = address
  const named = useMetricNames(metrics)
  const answer = useReadings(metrics, applied)
  const shown = useShownReadings({
    metrics: named,
    readings: metrics.length === 0 ? undefined : answer.data,
    period: applied.period,
    zoom: isStale ? undefined : zoom,
    hasBand: address.hasBand && applied.stepMinutes === 60,
  })
  const alerts = useAlertMarkers({
    metrics,
    series: shown.series,
    period: applied.period,
    shown: shown.shown,
    isOn: address.showsAlerts,
  })
  const planned = usePlannedShade(metrics, applied.period, address.showsPlanned)
  const chart = useRef<TimeChartHandle>(null)
  const [dialog, setDialog] = useState<Dialog>()
  const hasReadings = shown.hasReadings

  const reloadNow = () => (isStale ? apply() : void reload(answer))
  const submit = (metric: MetricChoice) => {
    if (dialog?.kind === 'edit') go({ metrics: withEdited(metrics, dialog.metric, metric) })
    else if (hasMetric(metrics, metric)) toasts.info('This metric is already in the chart.')
    else go({ metrics: withMetric(metrics, metric) })
    setDialog(undefined)
  }
  const exportCsv = () => {
    try {
      saveCsv(`${fileName(shown.shown)}.csv`, readingsCsv(shown.series, shown.timesS, shown.moments))
    } catch (failure) {
      toasts.failure(failure)
    }
  }
  const exportPng = async () => {
    try {
      const png = await chart.current?.png(
        `Analytics, ${formatMinute(shown.shown.from)} – ${formatMinute(shown.shown.to)}`,
      )
      if (png) saveFile(`${fileName(shown.shown)}.png`, png)
    } catch (failure) {
      toasts.failure(failure)
    }
  }
  const addButton = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={metrics.length >= MOST_METRICS}
      onClick={() => setDialog({ kind: 'add' })}
    >
      Add metric
    </Button>
  )
  const nothing = <EmptyNote title={messages.noData}>There are no readings of these metrics in this period.</EmptyNote>

  return (
    <Screen title="Analytics" unread={unread} subtitle={isInternal ? <EtlHeader /> : undefined} actions={addButton}>
      <Panel>
        <AnalyticsToolbar
          address={address}
          onChange={go}
          isStale={isStale}
          isLoading={answer.isFetching}
          onReload={reloadNow}
          hasOneDevice={planned.hasOneDevice}
          canExport={hasReadings}
          onExportCsv={exportCsv}
          onExportPng={() => void exportPng()}
        />
        <div className="analytics-chart">
          {metrics.length === 0 ? (
            <EmptyNote title={messages.noData}>Add a metric to see its readings over time.</EmptyNote>
          ) : !metrics.some(isMeasurement) ? (
            nothing
          ) : (
            <AsyncView
              query={answer}
              skeleton={address.view === 'chart' ? <ChartLoading series={shown.series} /> : undefined}
            >
              {() =>
                hasReadings ? (
                  <ChartPanel
                    readings={shown}
                    address={address}
                    alerts={alerts}
                    shade={planned.shade}
                    onChange={go}
                    chart={chart}
                  />
                ) : (
                  nothing
                )
              }
            </AsyncView>
          )}
        </div>
      </Panel>
      {metrics.length > 0 && (
        <Panel title="Metrics" meta={`${formatMinute(shown.shown.from)} – ${formatMinute(shown.shown.to)}`}>
          <MetricTable
            rows={named.map((metric, index) => ({
              ...metric,
              drawnColor: drawnColour(metric.color, scheme),
              statistics: shown.statistics[index],
              problem: isMeasurement(metric)
                ? answer.data?.failed.get(metric.deviceId)?.message
                : 'There is no such measurement.',
            }))}
            onEdit={(metric) => setDialog({ kind: 'edit', metric })}
            onRemove={(metric) => go({ metrics: withoutMetric(metrics, metric) })}
          />
        </Panel>
      )}
      {metrics.length > 0 && address.showsAlerts && <AlertsPanel alerts={alerts} />}
      <Modal
        opened={dialog !== undefined}
        onClose={() => setDialog(undefined)}
        title={dialog?.kind === 'edit' ? 'Edit metric' : 'Add metric'}
        size={300}
      >
        {dialog && (
          <MetricForm
            initial={
              dialog.kind === 'edit'
                ? dialog.metric
                : { color: nextColour(metrics.map(({ color }) => color)), yAxis: 1 }
            }
            submitLabel={dialog.kind === 'edit' ? 'Save' : 'Add metric'}
            onSubmit={submit}
            onCancel={() => setDialog(undefined)}
          />
        )}
      </Modal>
    </Screen>
  )
}

const fileName = ({ from, to }: Period) => `Analytics ${formatMinute(from)} - ${formatMinute(to)}`.replaceAll(':', '-')
