import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useMay } from '#console/lib/session/session.ts'
import { formatBucket, formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { LineMark } from '#console/ui/chart/LineMark.tsx'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { decimalsOf, formatNumber, formatWithDecimals, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { metricKey } from './read/metricChoice.ts'
import type { Statistics } from './read/statistics.ts'
import type { NamedMetric } from './read/useMetricNames.ts'
import type { NewestReading } from './read/useNewestReadings.ts'

export interface MetricRow extends NamedMetric {
  /** The mark looks like the line in the chart. */
  readonly mark: Pick<ChartSeries, 'color' | 'dash'>
  readonly statistics: Statistics | undefined
  /** It is undefined while it loads, and null where only the mean of its bucket is kept. */
  readonly newest: NewestReading | null | undefined
  readonly problem: string | undefined
}

interface Props {
  readonly rows: readonly MetricRow[]
  readonly onEdit: (metric: NamedMetric) => void
  readonly onRemove: (metric: NamedMetric) => void
}

export function MetricTable({ rows, onEdit, onRemove }: Props) {
  const mayOpen = useMay('seeDevices')
  const columns = useMemo(() => columnsFor(rows, mayOpen, onEdit, onRemove), [rows, mayOpen, onEdit, onRemove])
  return (
    <DataTable
      label="Metrics"
      columns={columns}
      rows={rows}
      rowKey={metricKey}
      onOpen={onEdit}
      minWidthPx={800}
      stacked={STACKED}
    />
  )
}

function columnsFor(
  rows: readonly MetricRow[],
  mayOpen: boolean,
  onEdit: Props['onEdit'],
  onRemove: Props['onRemove'],
): readonly Column<MetricRow>[] {
  const newestDecimals = decimalsOf(rows.map(newestOf))
  const number = (id: 'minimum' | 'maximum' | 'mean', header: string, leaves: number): Column<MetricRow> => {
    const decimals = decimalsOf(rows.map(({ statistics }) => statistics?.[id]))
    return {
      id,
      header,
      leaves,
      widthPx: 80,
      isRight: true,
      cell: ({ statistics }) => shownValue(statistics?.[id], decimals),
    }
  }
  return [
    {
      id: 'color',
      header: 'Colour',
      hidesHeader: true,
      staysWhenStacked: true,
      widthPx: 66,
      cell: ({ mark }) => <LineMark of={mark} />,
    },
    textColumn('device', 'Device', (row) => row.deviceName, {
      widthPx: 150,
      isStrong: true,
      to: ({ deviceGuid: guid }) => (mayOpen && guid ? address('/devices/$guid/status', { guid }) : undefined),
    }),
    {
      id: 'metric',
      header: 'Metric',
      cell: (row) => <MetricName row={row} />,
      title: (row) => row.metricName,
    },
    {
      id: 'axis',
      header: 'Y-axis',
      widthPx: 64,
      leaves: 1,
      isDim: true,
      cell: ({ yAxis }) => (yAxis === 2 ? 'Right' : 'Left'),
    },
    {
      id: 'newest',
      header: 'Newest',
      widthPx: 80,
      isRight: true,
      cell: (row) => newestText(row, newestDecimals),
      title: ({ statistics, newest }) =>
        newest
          ? formatDateTime(newest.at)
          : statistics
            ? `Mean from ${formatBucket(statistics.newestAt)} on: its readings are not kept`
            : '',
    },
    number('minimum', 'Min', 2),
    number('maximum', 'Max', 3),
    number('mean', 'Mean', 4),
    buttonColumn('Actions', 84, (row) => (
      <>
        <RowButton
          name="Edit"
          of={`${row.deviceName}, ${row.metricName}`}
          icon={IconPencil}
          onClick={() => onEdit(row)}
        />
        <RowButton
          name="Remove"
          of={`${row.deviceName}, ${row.metricName}`}
          icon={IconTrash}
          onClick={() => onRemove(row)}
        />
      </>
    )),
  ]
}

const MetricName = ({ row: { metricName, problem, isHidden } }: { readonly row: MetricRow }) => (
  <>
    {metricName}
    {isHidden && <span className="is-dim"> · hidden in the chart</span>}
    {problem && <span className="metric-problem"> {problem}</span>}
  </>
)

const STACKED: StackedCell<MetricRow> = {
  header: 'Metric',
  cell: (row) => (
    <>
      <b>{row.deviceName}</b>
      <span>
        <MetricName row={row} />
      </span>
      {row.statistics && (
        <span className="is-dim">
          Newest {newestText(row, decimalsOf([newestOf(row)]))} · {formatNumber(row.statistics.minimum)} to{' '}
          {formatNumber(row.statistics.maximum)} · mean {formatNumber(row.statistics.mean)}
        </span>
      )}
      {row.yAxis === 2 && <span className="is-dim">Right axis</span>}
    </>
  ),
}

const newestOf = ({ statistics, newest }: MetricRow) =>
  newest === undefined ? undefined : (newest?.value ?? statistics?.newest)

/** It shows the newest reading; where only means are kept, that of the newest bucket, which says so. */
function newestText(row: MetricRow, decimals: number) {
  const value = row.newest || row.statistics ? newestOf(row) : undefined
  if (value === undefined) return shownValue(undefined, decimals)
  return `${row.newest ? '' : 'Ø '}${formatWithDecimals(value, decimals)}`
}

function shownValue(value: number | undefined, decimals: number) {
  return value === undefined ? <span className="dim">{UNKNOWN_TEXT}</span> : formatWithDecimals(value, decimals)
}
