import type { CSSProperties } from 'react'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import type { TemperatureRow } from '#contract/http/insight/overview.ts'
import { displayTitle } from '#domain/devices/displayTitle.ts'
import { differenceBarPercent, temperatureDifference } from '#domain/devices/temperatureDifference.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { HeldNote } from './HeldNote.tsx'
import { rowsWith, type TableResult } from './useOverview.ts'

type ColumnId = 'device' | 'internal' | 'intake' | 'difference'

/** A narrower panel would leave no room for names. */
const MIN_WIDTH_PX = 340

const titleOf = ({ device, display_number }: TemperatureRow) => displayTitle(device, display_number)

const COLUMNS: readonly Column<TemperatureRow, ColumnId>[] = [
  {
    id: 'device',
    header: 'Device',
    isStrong: true,
    cell: (row) => <DeviceLink row={row} />,
    title: titleOf,
  },
  {
    id: 'internal',
    header: 'Internal',
    widthPx: 66,
    isRight: true,
    cell: (row) => <Internal row={row} />,
  },
  {
    id: 'intake',
    header: 'Intake',
    widthPx: 68,
    isRight: true,
    isDim: true,
    cell: ({ intake_temp }) => <Celsius value={intake_temp} />,
  },
  { id: 'difference', header: 'Difference', widthPx: 90, cell: (row) => <Difference row={row} /> },
]

/** The ten hottest devices are ranked by the newest reading of their hottest display (rules/overview 4). */
export function HottestPanel({ hottest }: { readonly hottest: TableResult }) {
  return (
    <Panel folds title="Ten hottest devices" meta={<HeldNote query={hottest} />}>
      <div className="overview-table hot-table">
        <AsyncView
          query={hottest}
          skeleton={<Skeleton lines={10} />}
          isEmpty={(rows) => rows.length === 0}
          empty="No temperatures in the last 24 hours"
        >
          {(rows) => (
            <DataTable
              label="Ten hottest devices"
              columns={COLUMNS}
              rows={rowsWith(rows, 'internal_temp')}
              rowKey={({ device_id }) => device_id}
              minWidthPx={MIN_WIDTH_PX}
              stacked={{ header: 'Device', cell: (row) => <StackedDevice row={row} /> }}
            />
          )}
        </AsyncView>
      </div>
    </Panel>
  )
}

/** A narrow cell cuts the name, and never the display's number. */
const DeviceLink = ({ row }: { readonly row: TemperatureRow }) => (
  <Link to={address('/devices/$guid/status', { guid: row.device_guid })} className="hot-device">
    <span>{row.device}</span>
    <span>{titleOf(row).slice(row.device.length)}</span>
  </Link>
)

function StackedDevice({ row }: { readonly row: TemperatureRow }) {
  const difference = temperatureDifference(row.internal_temp, row.intake_temp)
  return (
    <div className="light-stacked">
      <DeviceLink row={row} />
      <b>
        <Internal row={row} />
      </b>
      <small>
        intake <Celsius value={row.intake_temp} />, difference <Celsius value={difference ?? null} />
      </small>
    </div>
  )
}

function Celsius({ value }: { readonly value: number | null }) {
  return value === null ? <span className="dim">{UNKNOWN_TEXT}</span> : `${value.toFixed(1)} °C`
}

/** It stands out only beyond a limit that somebody has set, in the colour of its severity. */
const toneOf = ({ internal_severity_id: severityId }: TemperatureRow) =>
  severityId === null ? undefined : severityTone(severityId)

function Internal({ row }: { readonly row: TemperatureRow }) {
  const limit = row.internal_limit
  return (
    <span
      className="celsius"
      data-severity={toneOf(row)}
      title={limit === null ? undefined : `Limit ${formatNumber(limit)} °C`}
    >
      <Celsius value={row.internal_temp} />
    </span>
  )
}

function Difference({ row }: { readonly row: TemperatureRow }) {
  const difference = temperatureDifference(row.internal_temp, row.intake_temp)
  if (difference === undefined) return <span className="dim difference-value">{UNKNOWN_TEXT}</span>
  return (
    <span className="difference" data-severity={toneOf(row)}>
      <i style={{ '--bar-width': `${differenceBarPercent(difference)}%` } as CSSProperties} aria-hidden />
      <span className="difference-value">{difference.toFixed(1)} °C</span>
    </span>
  )
}
