import {
  type Icon,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconDeviceTv,
  IconTool,
} from '@tabler/icons-react'
import type { DeviceFilter } from '#contract/http/device.ts'

export interface OverviewTile {
  /** The word by which the device list shows what the tile counts; absent: all of them. */
  readonly filter?: DeviceFilter
  readonly label: string
  readonly more: string
  readonly icon: Icon
  readonly color: string
}

export const OVERVIEW_TILES: readonly OverviewTile[] = [
  {
    filter: 'activeConnected',
    label: 'Active devices',
    more: 'paired and online',
    icon: IconCircleCheckFilled,
    color: 'var(--ok)',
  },
  {
    filter: 'pending',
    label: 'Pending devices',
    more: 'waiting for pairing',
    icon: IconCircleDashed,
    color: 'var(--pending)',
  },
  { filter: 'maintenance', label: 'Maintenance devices', more: 'planned work', icon: IconTool, color: 'var(--warn)' },
  {
    filter: 'outOfOrder',
    label: 'Out-of-order devices',
    more: 'screen not showing content',
    icon: IconCircleXFilled,
    color: 'var(--crit)',
  },
  { label: 'All devices', more: 'in every status', icon: IconDeviceTv, color: 'var(--brand)' },
]
