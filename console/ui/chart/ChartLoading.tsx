import { ChartLegend } from './ChartLegend.tsx'
import type { ChartSeries } from './series/chartSeries.ts'
import './chart.css'

/** It is as high as the chart will be, so that nothing below jumps. */
export function ChartLoading({ series }: { readonly series: readonly ChartSeries[] }) {
  return (
    <div className="time-chart">
      <div className="time-chart-stage chart-loading" role="status" aria-label="Loading" />
      <ChartLegend series={series} timesS={[]} index={undefined} isSpoken={false} />
    </div>
  )
}
