import { PERIOD_LIGHT_CSV_COLUMNS, unknownShare } from '#console/deviceParts/lightParts.ts'
import { type CsvColumn, oneBatch } from '#console/lib/csv.ts'
import { address } from '#console/router/addressText.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import type { Availability } from '#contract/http/insight/darkMinutes.ts'
import { availabilityText, lightText, notToldApartText } from '#domain/darkness/minutes/lightLabels.ts'
import type { FleetLight } from './useFleetLight.ts'

type Row = Availability['customers'][number]

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'customer',
    header: 'Customer',
    isStrong: true,
    cell: ({ customerName }) => customerName,
    to: ({ customerId }) => address('/overview', { customerId }),
    title: (row) => `${row.customerName}, ${devicesText(row)}`,
  },
  {
    id: 'devices',
    header: 'Devices',
    widthPx: 76,
    leaves: 1,
    isRight: true,
    isDim: true,
    cell: ({ devices }) => devices,
  },
  {
    id: 'unknown',
    header: 'Unknown',
    widthPx: 84,
    isRight: true,
    isDim: true,
    cell: (row) => unknownShare(row),
  },
  {
    id: 'availability',
    header: 'Availability',
    widthPx: 96,
    isRight: true,
    isStrong: true,
    cell: ({ availabilityPercent }) => availabilityText(availabilityPercent),
  },
]

const LIT_IN_OFF_TIMES: Column<Row> = {
  id: 'litInOffTimes',
  header: 'Lit in off times',
  widthPx: 116,
  isRight: true,
  isDim: true,
  cell: ({ litInOffTimesMinutes }) => lightText(litInOffTimesMinutes),
  title: ({ litInOffTimesMinutes, notToldApartBefore }) =>
    [lightText(litInOffTimesMinutes), ...(notToldApartBefore ? [notToldApartText(notToldApartBefore)] : [])].join(', '),
}

/** Light in off times gets a column only where there is any, because names need the room. */
function columnsFor(rows: readonly Row[]): readonly Column<Row>[] {
  const hasLitInOffTimes = rows.some((row) => row.litInOffTimesMinutes !== 0 || row.notToldApartBefore !== null)
  return hasLitInOffTimes ? [...COLUMNS.slice(0, -1), LIT_IN_OFF_TIMES, ...COLUMNS.slice(-1)] : COLUMNS
}

const devicesText = ({ devices }: Row) => `${devices} device${devices === 1 ? '' : 's'}`

export function CustomersLight({ light }: { readonly light: FleetLight }) {
  return (
    <div className="overview-table">
      <AsyncView query={light} skeleton={<Skeleton lines={5} />} isEmpty={({ customers }) => customers.length === 0}>
        {({ customers }) => (
          <DataTable
            label="Availability by customer"
            columns={columnsFor(customers)}
            rows={customers}
            rowKey={({ customerId }) => customerId}
            stacked={{ header: 'Customer', cell: (row) => <StackedCustomer row={row} /> }}
          />
        )}
      </AsyncView>
    </div>
  )
}

/** The availability of all customers together, with what cannot be told apart. */
export function LightTotal({ total }: { readonly total: Availability['total'] }) {
  return (
    <span className="light-total">
      All: <b>{availabilityText(total.availabilityPercent)}</b> · {unknownShare(total)} unknown
      {total.notToldApartBefore && <> · lit in off times {notToldApartText(total.notToldApartBefore)}</>}
    </span>
  )
}

function StackedCustomer({ row }: { readonly row: Row }) {
  return (
    <div className="light-stacked">
      <span>{row.customerName}</span>
      <b>{availabilityText(row.availabilityPercent)}</b>
      <small>
        {devicesText(row)}, {unknownShare(row)} unknown, lit in off times: {lightText(row.litInOffTimesMinutes)}
      </small>
    </div>
  )
}

const CSV_COLUMNS: readonly CsvColumn<Row>[] = [
  { header: 'Customer', cell: ({ customerName }) => customerName },
  { header: 'Devices', cell: ({ devices }) => devices },
  ...PERIOD_LIGHT_CSV_COLUMNS,
]

export function CustomersLightMenu({ rows }: { readonly rows: readonly Row[] }) {
  return <ListExportMenu name="availability" columns={CSV_COLUMNS} batches={() => oneBatch(rows)} />
}
