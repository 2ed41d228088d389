import {
  type Icon,
  IconAdjustmentsExclamation,
  IconAlertTriangle,
  IconBuilding,
  IconChartAreaLine,
  IconDeviceTv,
  IconHistory,
  IconLayoutDashboard,
  IconMapPin,
  IconPackage,
  IconRefreshDot,
  IconShieldLock,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import type { Permission } from '#domain/permissions/permissions.ts'

export interface NavigationEntry {
  readonly path:
    | '/overview'
    | '/devices'
    | '/locations'
    | '/alerts'
    | '/analytics'
    | '/thresholds'
    | '/users'
    | '/roles'
    | '/customers'
    | '/client-software'
    | '/client-updates'
    | '/audit-log'
    | '/profile'
  readonly label: string
  readonly icon: Icon
  readonly permission: Permission
}

export interface NavigationGroup {
  readonly heading: string
  readonly entries: readonly NavigationEntry[]
}

/** The side menu of P2 §2: a screen gets its entry when it exists. */
const NAVIGATION: readonly NavigationGroup[] = [
  {
    heading: 'CONTROL PANEL',
    entries: [
      { path: '/overview', label: 'Overview', icon: IconLayoutDashboard, permission: 'deviceManager' },
      { path: '/devices', label: 'Devices', icon: IconDeviceTv, permission: 'deviceManager' },
      { path: '/locations', label: 'Locations', icon: IconMapPin, permission: 'deviceManager' },
      { path: '/alerts', label: 'Alerts', icon: IconAlertTriangle, permission: 'deviceManager' },
      { path: '/analytics', label: 'Analytics', icon: IconChartAreaLine, permission: 'analytics' },
      { path: '/audit-log', label: 'Audit log', icon: IconHistory, permission: 'deviceManager' },
    ],
  },
  {
    heading: 'Administration',
    entries: [
      { path: '/thresholds', label: 'Alert Thresholds', icon: IconAdjustmentsExclamation, permission: 'admin' },
      { path: '/users', label: 'Users', icon: IconUsers, permission: 'admin' },
      { path: '/roles', label: 'Roles', icon: IconShieldLock, permission: 'staffAdmin' },
      { path: '/customers', label: 'Customers', icon: IconBuilding, permission: 'staffAdmin' },
      { path: '/client-software', label: 'Client software', icon: IconPackage, permission: 'staffAdmin' },
      { path: '/client-updates', label: 'Client updates', icon: IconRefreshDot, permission: 'staffAdmin' },
    ],
  },
]

/** In development mode, for admins (P2 §2). */
const PROFILE: NavigationEntry = { path: '/profile', label: 'Profile', icon: IconUserCircle, permission: 'admin' }

/** What this user may open; headings without entries are left out. */
export function visibleNavigation(
  may: (permission: Permission) => boolean,
  isDevelopment: boolean = import.meta.env.DEV,
): readonly NavigationGroup[] {
  return NAVIGATION.map((group) => ({
    ...group,
    entries: [...group.entries, ...(isDevelopment && group.heading === 'Administration' ? [PROFILE] : [])].filter(
      ({ permission }) => may(permission),
    ),
  })).filter(({ entries }) => entries.length > 0)
}
