import { ChartLegend } from './ChartLegend.tsx'
import type { ChartSeries } from './series/chartSeries.ts'
import './chart.css'

/** A chart that is still on its way, as high as it will be: nothing below jumps when it comes. */
export function ChartLoading({ series }: { readonly series: readonly ChartSeries[] }) {
  return (
    <div className="time-chart">
      <div className="time-chart-stage chart-loading" role="status" aria-label="Loading" />
      <ChartLegend series={series} timesS={[]} index={undefined} isSpoken={false} />
    </div>
  )
}
