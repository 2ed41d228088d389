import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { type CallResult, useCall } from '#console/lib/useCall.ts'
import { type DeviceFilter, listDevices } from '#contract/http/device.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { OverviewTile } from './tiles.ts'

const REFRESH_EVERY_MS = 59_000

/** How many devices the list behind this tile has; the list itself is asked, so that the two can never differ. */
function useDeviceCount(filter: DeviceFilter | undefined): CallResult<typeof listDevices> {
  return useCall(
    listDevices,
    { ...(filter === undefined ? {} : { filter }), rowNum: 1, pageSize: 1 },
    { refreshEveryMs: REFRESH_EVERY_MS },
  )
}

export function CountTile({ tile }: { readonly tile: OverviewTile }) {
  const { filter, label, more, icon: Icon, color } = tile
  const count = useDeviceCount(filter)
  // With an order in its address the list does not go back to the filter of the last visit.
  const search = filter === undefined ? { sort: 'name' } : { filter }
  return (
    <Link to="/devices" search={search as never} className="kpi" style={{ '--kpi-color': color } as CSSProperties}>
      <div className="kpi-label">
        <Icon size={15} aria-hidden />
        {label}
      </div>
      <div className="kpi-value">{count.data === undefined ? UNKNOWN_TEXT : countText(count.data)}</div>
      <div className="kpi-more">{count.isError && count.data === undefined ? 'could not be counted' : more}</div>
    </Link>
  )
}

const MOST_COUNTED = 10_000
const written = new Intl.NumberFormat('en')

function countText(answer: NonNullable<CallResult<typeof listDevices>['data']>): string {
  if (!('rows' in answer)) return written.format(answer.length)
  return answer.total === null ? `> ${written.format(MOST_COUNTED)}` : written.format(answer.total)
}
