import { type RefObject, useMemo } from 'react'
import { formatMinute } from '#console/lib/time/time.ts'
import { TimeChart } from '#console/ui/chart/laterChart.ts'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'
import type { TimeChartHandle } from '#console/ui/chart/TimeChart.tsx'
import type { ChartShade } from '#console/ui/chart/useChartShade.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { formatHours } from '#domain/units/durations.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { type ChartedDevice, ChartWithLanes } from './ChartWithLanes.tsx'
import { withHidden } from './read/metricChoice.ts'
import type { AlertMarkers } from './read/useAlertMarkers.ts'
import type { AnalyticsAddress, AnalyticsAddressHook } from './read/useAnalyticsAddress.ts'
import { type useLimits, useWithLimits } from './read/useLimits.ts'
import { drawnOf, type ShownReadings } from './read/useShownReadings.ts'

const ReadingsTable = lazyPart(() => import('./ReadingsTable.tsx').then((part) => part.ReadingsTable))

interface Props {
  readonly readings: ShownReadings
  readonly address: AnalyticsAddress
  readonly alerts: AlertMarkers
  readonly shade: ChartShade | undefined
  readonly onChange: AnalyticsAddressHook['go']
  readonly chart: RefObject<TimeChartHandle | null>
  readonly devices: readonly ChartedDevice[]
  readonly limits: ReturnType<typeof useLimits>
}

const NO_LIMITS: ReturnType<typeof useLimits> = []

export function ChartPanel({ readings, address, alerts, shade, onChange, chart, devices, limits }: Props) {
  const { series, timesS, moments, shown } = readings
  const shades = useMemo(() => (shade ? [shade] : []), [shade])
  const drawn = useWithLimits(series, timesS, address.showsLimits ? limits : NO_LIMITS)
  if (address.view === 'table') return <ReadingsTable series={drawnOf(readings)} timesS={timesS} moments={moments} />
  // A zoom is one step of the history, however often it is narrowed.
  const zoomTo = (part: Period) => {
    const zoom = within(part, readings.period)
    if (zoom || address.zoom) onChange({ zoom }, { replace: address.zoom !== undefined })
  }
  return (
    <ChartWithLanes
      devices={devices}
      lanesOf={address.lanesOf}
      onLanesOf={(lanesOf) => onChange({ lanesOf })}
      period={readings.period}
      shown={shown}
    >
      <TimeChart
        handle={chart}
        timesS={timesS}
        series={drawn}
        shown={shown}
        whole={readings.period}
        fits={address.isAutoScaled}
        markers={alerts.markers}
        onMarker={alerts.onMarker}
        shades={shades}
        hidden={readings.hidden}
        onHidden={(next) => onChange({ metrics: withHidden(address.metrics, next) })}
        summary={summaryOf(readings) + plannedLabel(shade)}
        onZoom={zoomTo}
        onZoomOut={() => {
          if (address.zoom) onChange({ zoom: undefined })
        }}
      />
    </ChartWithLanes>
  )
}

/** It returns undefined for the whole period. */
function within(part: Period, whole: Period): Period | undefined {
  const from = part.from > whole.from ? part.from : whole.from
  const to = part.to < whole.to ? part.to : whole.to
  return from < to && (from > whole.from || to < whole.to) ? { from, to } : undefined
}

function summaryOf({ series, statistics, shown }: ShownReadings): string {
  const lines = series.map((one: ChartSeries, index) => {
    const facts = statistics[index]
    const unit = one.unit ? ` ${one.unit}` : ''
    if (!facts) return `${one.name}: no data`
    return `${one.name}: from ${formatNumber(facts.minimum)} to ${formatNumber(facts.maximum)}${unit}, mean ${formatNumber(facts.mean)}${unit}`
  })
  return `Area chart from ${formatMinute(shown.from)} to ${formatMinute(shown.to)}. ${lines.join('. ')}.`
}

function plannedLabel(shade: ChartShade | undefined): string {
  if (!shade || shade.spans.length === 0) return ''
  const seconds = shade.spans.reduce((sum, { fromS, toS }) => sum + toS - fromS, 0)
  const times = shade.spans.length === 1 ? 'once' : `${shade.spans.length} times`
  return ` Darkness was planned ${times}, ${formatHours(Math.round(seconds / 60))} in all.`
}
