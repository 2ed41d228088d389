import { useMemo } from 'react'
import { formatBucket } from '#console/lib/time/time.ts'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { useVirtualRows } from '#console/ui/table/useVirtualRows.ts'
import { decimalsOf, formatWithDecimals, UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly series: readonly ChartSeries[]
  readonly timesS: readonly number[]
  readonly moments: readonly number[]
}

/** It fits the hour that a clock shows twice. */
const TIME_WIDTH_PX = 164
const SERIES_WIDTH_PX = 190

export function ReadingsTable({ series, timesS, moments }: Props) {
  const columns = useMemo(
    (): readonly Column<number>[] => [
      {
        id: 'time',
        header: 'Time',
        widthPx: TIME_WIDTH_PX,
        cell: (index) => formatBucket(new Date((timesS[index] ?? 0) * 1000)),
      },
      ...series.map((one): Column<number> => {
        const decimals = decimalsOf(one.values)
        return {
          id: one.key,
          header: one.name,
          isRight: true,
          cell: (index) => {
            const value = one.values[index]
            return value === null || value === undefined ? UNKNOWN_TEXT : formatWithDecimals(value, decimals)
          },
        }
      }),
    ],
    [series, timesS],
  )
  return (
    <DataTable
      label="Readings"
      columns={columns}
      rows={moments}
      rowKey={(index) => index}
      minWidthPx={TIME_WIDTH_PX + series.length * SERIES_WIDTH_PX}
      useDrawnRows={useVirtualRows}
    />
  )
}
