import type { CSSProperties } from 'react'
import type { CallResult } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { getDashboardValues } from '#contract/http/dashboard.ts'
import type { CustomerId } from '#domain/ids.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { OverviewTile } from './countTiles.ts'
import { HeldNote } from './HeldNote.tsx'

interface Props {
  readonly tile: OverviewTile
  readonly values: CallResult<typeof getDashboardValues>
  readonly customerId: CustomerId | undefined
}

/** A number that opens the list it counts, of the same customer. */
export function CountTile({ tile, values, customerId }: Props) {
  const { key, label, opens, icon: Icon, color } = tile
  const counted = (wanted: string) => values.data?.find((one) => one.key === wanted)?.value
  const value = counted(key)
  const all = key === 'DEVICES_ACTIVE' ? counted('DEVICES_ALL') : undefined
  const more = all === undefined ? tile.more : `${tile.more}, of ${formatNumber(all)}`
  return (
    <Link
      to={
        opens.path === '/devices'
          ? address(opens.path, { filter: opens.filter, customerId })
          : address(opens.path, { filter: opens.filter, customerId })
      }
      className="kpi"
      // Nothing is coloured that is not there.
      style={{ '--kpi-color': value ? color : 'var(--line-strong)' } as CSSProperties}
    >
      <span className="kpi-label">
        <Icon size={15} aria-hidden />
        {label}
      </span>
      <span
        className="kpi-value"
        data-loading={values.isPending || undefined}
        data-stale={values.isPlaceholderData || undefined}
      >
        {value === undefined ? UNKNOWN_TEXT : formatNumber(value)}
      </span>
      <span className="kpi-more">
        {values.isError ? values.data === undefined ? 'could not be counted' : <HeldNote query={values} /> : more}
      </span>
    </Link>
  )
}
