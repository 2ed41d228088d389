import { useMemo, useState } from 'react'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ChartLoading } from '#console/ui/chart/ChartLoading.tsx'
import { TimeChart } from '#console/ui/chart/laterChart.ts'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'
import { drawnColour, METRIC_COLOURS, type MetricColour } from '#console/ui/chart/series/metricColours.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { Panel } from '#console/ui/Panel.tsx'
import { useScheme } from '#console/ui/style/scheme.ts'
import type { TemperatureRow } from '#contract/http/insight/overview.ts'
import { displayTitle } from '#domain/devices/displayTitle.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { HeldNote } from './HeldNote.tsx'
import { rowsWith, type TableResult } from './useOverview.ts'

/** It draws hourly means of the three hottest devices; hours without a reading are gaps. */
export function TemperaturePanel({ temperatures }: { readonly temperatures: TableResult }) {
  return (
    <Panel title="Internal temperatures, last 24 hours" meta={<HeldNote query={temperatures} />}>
      <div className="overview-chart">
        <AsyncView
          query={temperatures}
          skeleton={<ChartLoading series={[]} />}
          empty="No temperatures in the last 24 hours"
          isEmpty={(rows) => rowsWith(rows, 'internal_temp').every(({ internal_temp }) => internal_temp === null)}
        >
          {(rows) => <TemperatureChart rows={rowsWith(rows, 'internal_temp')} />}
        </AsyncView>
      </div>
    </Panel>
  )
}

function TemperatureChart({ rows }: { readonly rows: readonly TemperatureRow[] }) {
  const scheme = useScheme()
  const [zoom, setZoom] = useState<Period>()
  const { timesS, series, whole } = useMemo(() => chartOf(rows, scheme), [rows, scheme])
  return (
    <TimeChart
      timesS={timesS}
      series={series}
      shown={zoom ?? whole}
      whole={whole}
      fits
      summary={`Internal temperatures from ${formatMinute(whole.from)} to ${formatMinute(whole.to)}. ${series.map(newestOf).join('. ')}.`}
      onZoom={setZoom}
      onZoomOut={() => setZoom(undefined)}
    />
  )
}

function chartOf(rows: readonly TemperatureRow[], scheme: 'dark' | 'light') {
  const byDevice = [...Map.groupBy(rows, ({ device_id }) => device_id).values()]
  const timesMs = (byDevice[0] ?? []).map(({ device_time }) => Date.parse(device_time))
  const series = byDevice.map((ofDevice, index): ChartSeries => {
    const colour = METRIC_COLOURS[index] as MetricColour
    const [first] = ofDevice
    return {
      key: String(first?.device_id),
      name: first ? displayTitle(first.device, first.display_number) : '',
      unit: '°C',
      color: drawnColour(colour, scheme),
      axis: 'left',
      values: ofDevice.map(({ internal_temp }) => internal_temp),
    }
  })
  const [first = 0, last = 0] = [timesMs[0], timesMs.at(-1)]
  const whole = { from: new Date(first), to: new Date(last + HOUR_MS) }
  return { timesS: timesMs.map((ms) => ms / 1000), series, whole }
}

function newestOf({ name, values }: ChartSeries): string {
  const newest = values.findLast((value) => value !== null)
  return typeof newest === 'number' ? `${name}: newest ${formatNumber(newest)} °C` : `${name}: no data`
}
