import { type CsvColumn, writeCsv } from '#console/lib/csv.ts'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'

export function readingsCsv(
  series: readonly ChartSeries[],
  timesS: readonly number[],
  moments: readonly number[],
): string {
  const columns: CsvColumn<number>[] = [{ header: 'Time', cell: (index) => new Date((timesS[index] ?? 0) * 1000) }]
  for (const { name, values, low, high } of series) {
    columns.push({ header: name, cell: (index) => values[index] })
    if (!low || !high) continue
    columns.push({ header: `${name} min`, cell: (index) => low[index] })
    columns.push({ header: `${name} max`, cell: (index) => high[index] })
  }
  return writeCsv(columns, moments)
}
