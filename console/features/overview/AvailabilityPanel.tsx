import { AsyncView } from '#console/ui/AsyncView.tsx'
import { type Column, DataTable } from '#console/ui/DataTable.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { Availability, Light } from '#contract/http/darkMinutes.ts'
import { availabilityText } from '#domain/darkness/lightWords.ts'
import { HeldNote } from './HeldNote.tsx'
import type { FleetLight } from './useFleetLight.ts'

type Row = Availability['customers'][number]

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'customer',
    header: 'Customer',
    isStrong: true,
    cell: ({ customerName }) => customerName,
    title: ({ customerName }) => customerName,
  },
  { id: 'devices', header: 'Devices', widthPx: 76, isRight: true, isDim: true, cell: ({ devices }) => devices },
  { id: 'unknown', header: 'Unknown', widthPx: 84, isRight: true, isDim: true, cell: (row) => unknownText(row) },
  {
    id: 'availability',
    header: 'Availability',
    widthPx: 96,
    isRight: true,
    isStrong: true,
    cell: ({ availabilityPercent }) => availabilityText(availabilityPercent),
  },
]

/** Of the light that Paired devices owed: how much there was, by customer; beside it the share that nobody knows. */
export function AvailabilityPanel({ light, days }: { readonly light: FleetLight; readonly days: number }) {
  const total = light.data?.total
  return (
    <Panel
      title={`Availability, last ${days} days`}
      meta={
        <>
          <HeldNote query={light} />
          {total && (
            <span className="light-total">
              All: <b>{availabilityText(total.availabilityPercent)}</b> · {unknownText(total)} unknown
            </span>
          )}
        </>
      }
    >
      <div className="overview-table">
        <AsyncView query={light} skeleton={<Skeleton lines={10} />} isEmpty={({ customers }) => customers.length === 0}>
          {({ customers }) => (
            <DataTable
              label="Availability by customer"
              columns={COLUMNS}
              rows={customers}
              rowKey={({ customerId }) => customerId}
              stacked={{ header: 'Customer', cell: (row) => <StackedCustomer row={row} /> }}
            />
          )}
        </AsyncView>
      </div>
    </Panel>
  )
}

function StackedCustomer({ row }: { readonly row: Row }) {
  return (
    <div className="light-stacked">
      <span>{row.customerName}</span>
      <b>{availabilityText(row.availabilityPercent)}</b>
      <small>
        {row.devices} device{row.devices === 1 ? '' : 's'}, {unknownText(row)} unknown
      </small>
    </div>
  )
}

/** Rounded up: what is not known is never told as less. */
function unknownText({ unplannedDarkMinutes, unknownMinutes, plannedDarkMinutes, litMinutes }: Light): string {
  const all = unplannedDarkMinutes + unknownMinutes + plannedDarkMinutes + litMinutes
  return `${all === 0 ? 0 : Math.ceil((100 * unknownMinutes) / all)} %`
}
