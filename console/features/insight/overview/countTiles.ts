import {
  type Icon,
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconTool,
} from '@tabler/icons-react'
import type { AlertFilter, DeviceFilter } from '#contract/call/listOptions.ts'
import type { DashboardKey } from '#contract/http/insight/overview.ts'

export interface OverviewTile {
  readonly key: DashboardKey
  readonly label: string
  /** It says what is counted where the label does not, beside the number. */
  readonly more: string
  /** The tile opens the list with as many rows as it counts, by its name in addresses (rules/overview 1). */
  readonly opens:
    | { readonly path: '/devices'; readonly filter: DeviceFilter }
    | { readonly path: '/alerts'; readonly filter: AlertFilter }
  readonly icon: Icon
  /** Red and amber belong to severities, and these are counts. */
  readonly color: string
}

export const OVERVIEW_TILES: readonly OverviewTile[] = [
  {
    key: 'DEVICES_ACTIVE',
    label: 'Active devices',
    more: 'online',
    opens: { path: '/devices', filter: 'activeConnected' },
    icon: IconCircleCheckFilled,
    color: 'var(--ok)',
  },
  {
    key: 'DEVICES_PENDING',
    label: 'Pending devices',
    more: 'to be paired',
    opens: { path: '/devices', filter: 'pending' },
    icon: IconCircleDashed,
    color: 'var(--pending)',
  },
  {
    key: 'DEVICES_MAINTENANCE',
    label: 'Maintenance devices',
    more: 'planned work',
    opens: { path: '/devices', filter: 'maintenance' },
    icon: IconTool,
    color: 'var(--brand)',
  },
  {
    key: 'DEVICES_OUT_OF_ORDER',
    label: 'Out-of-order devices',
    more: 'in this status',
    opens: { path: '/devices', filter: 'outOfOrder' },
    icon: IconCircleXFilled,
    color: 'var(--off)',
  },
  {
    key: 'DEVICES_WITH_ALERTS_24H',
    label: 'Alerts in 24h',
    more: 'devices',
    opens: { path: '/alerts', filter: 'last24h' },
    icon: IconAlertTriangleFilled,
    color: 'var(--brand)',
  },
]
