import type { CSSProperties } from 'react'
import { useIsServerLost } from '#console/lib/call/reach.ts'
import type { CallResult } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Sparkline } from '#console/ui/chart/Sparkline.tsx'
import type { getDashboardValues, getTileTrends } from '#contract/http/insight/overview.ts'
import type { CustomerId } from '#domain/ids.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { OverviewTile } from './countTiles.ts'
import { HeldNote } from './HeldNote.tsx'

interface Props {
  readonly tile: OverviewTile
  readonly values: CallResult<typeof getDashboardValues>
  readonly trends: CallResult<typeof getTileTrends>
  readonly customerId: CustomerId | undefined
}

/** The tile opens the list that it counts, of the same customer. */
export function CountTile({ tile, values, trends, customerId }: Props) {
  const { key, label, opens, icon: Icon, color } = tile
  const counted = (wanted: string) => values.data?.find((one) => one.key === wanted)?.value
  const value = counted(key)
  const all = key === 'DEVICES_ACTIVE' ? counted('DEVICES_ALL') : undefined
  // The banner already reports a lost server.
  const isFailed = !useIsServerLost() && values.isError
  const more = all === undefined ? tile.more : `${tile.more}, of ${formatNumber(all)}`
  return (
    <Link
      to={
        opens.path === '/devices'
          ? address(opens.path, { filter: opens.filter, customerId })
          : address(opens.path, { filter: opens.filter, customerId })
      }
      className="kpi"
      // A count of zero has no colour.
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
      <Trend day={trends.data?.trends.find((one) => one.key === key)?.values ?? NOTHING_YET} value={value} />
      <span className="kpi-more">
        {isFailed ? values.data === undefined ? 'not counted' : <HeldNote query={values} /> : more}
      </span>
    </Link>
  )
}

const NOTHING_YET: readonly null[] = []
/** A change below this share of the larger number is not noticeable. */
const LEAST_SHARE = 0.1
const LEAST_DEVICES = 4
const FEWEST_POINTS = 4

interface TrendProps {
  /** It holds half hours, the present one last; null where nothing was counted. */
  readonly day: readonly (number | null)[]
  readonly value: number | undefined
}

function Trend({ day, value }: TrendProps) {
  // The present half hour is not over, so the line ends in the tile's number instead, which follows every change.
  const values = [...day.slice(0, -1), value ?? null]
  const known = values.filter((one) => one !== null)
  if (known.length < FEWEST_POINTS) return null
  const [lowest, highest] = [Math.min(...known), Math.max(...known)]
  const range = lowest === highest ? formatNumber(lowest) : `${formatNumber(lowest)} to ${formatNumber(highest)}`
  return (
    <span className="kpi-trend" title={`Last 24 hours: ${range}`}>
      <Sparkline
        values={values}
        label={`Last 24 hours: ${range}`}
        leastSpan={Math.max(LEAST_DEVICES, highest * LEAST_SHARE)}
      />
    </span>
  )
}
