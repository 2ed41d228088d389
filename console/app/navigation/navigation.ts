import {
  type Icon,
  IconAdjustmentsExclamation,
  IconAlertTriangle,
  IconBellRinging,
  IconBroadcast,
  IconBuilding,
  IconChartAreaLine,
  IconDeviceTv,
  IconHeartbeat,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMapPin,
  IconPackage,
  IconRefreshDot,
  IconShieldLock,
  IconStack2,
  IconTool,
  IconUserCircle,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react'
import type { Permission } from '#domain/permissions/permissions.ts'
import { type GuardedPath, PAGE_PERMISSIONS } from './pagePermissions.ts'

export type PlainPath = Exclude<GuardedPath, `${string}$${string}`>

export interface NavigationEntry {
  readonly path: PlainPath
  readonly label: string
  readonly icon: Icon
  readonly key?: string
}

export interface NavigationGroup {
  readonly heading: string
  readonly entries: readonly NavigationEntry[]
}

/** Each user sees only the pages that they may open (rules/addresses 13). */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    heading: 'CONTROL PANEL',
    entries: [
      { path: '/overview', label: 'Overview', icon: IconLayoutDashboard, key: 'o' },
      { path: '/devices', label: 'Devices', icon: IconDeviceTv, key: 'd' },
      { path: '/locations', label: 'Locations', icon: IconMapPin, key: 'l' },
      { path: '/incidents', label: 'Incidents', icon: IconStack2, key: 'i' },
      { path: '/alerts', label: 'Alerts', icon: IconAlertTriangle, key: 'a' },
      { path: '/maintenance-windows', label: 'Maintenance windows', icon: IconTool, key: 'm' },
      { path: '/analytics', label: 'Analytics', icon: IconChartAreaLine, key: 'n' },
      { path: '/audit-log', label: 'Audit log', icon: IconHistory, key: 'h' },
    ],
  },
  {
    heading: 'Administration',
    entries: [
      { path: '/thresholds', label: 'Alert Thresholds', icon: IconAdjustmentsExclamation, key: 't' },
      { path: '/notifications/routes', label: 'Notifications', icon: IconBellRinging, key: 'w' },
      { path: '/notifications/channels', label: 'Channels', icon: IconBroadcast, key: 'k' },
      { path: '/status-pages', label: 'Status pages', icon: IconWorld, key: 'e' },
      { path: '/users', label: 'Users', icon: IconUsers, key: 'u' },
      { path: '/roles', label: 'Roles', icon: IconShieldLock, key: 'r' },
      { path: '/single-sign-on', label: 'Single sign-on', icon: IconKey, key: 'j' },
      { path: '/customers', label: 'Customers', icon: IconBuilding, key: 'c' },
      { path: '/device-software/releases', label: 'Device software', icon: IconPackage, key: 's' },
      { path: '/device-software/rollouts', label: 'Rollouts', icon: IconRefreshDot, key: 'p' },
      { path: '/system', label: 'System', icon: IconHeartbeat, key: 'y' },
    ],
  },
]

/** Only admins see it, and only in development mode (rules/addresses 11). */
const PROFILE: NavigationEntry = { path: '/profile', label: 'Profile', icon: IconUserCircle }

/** Headings without entries are left out. */
export function visibleNavigation(
  may: (permission: Permission) => boolean,
  isDevelopment: boolean = import.meta.env.DEV,
): readonly NavigationGroup[] {
  return NAVIGATION.map((group) => ({
    ...group,
    entries: [...group.entries, ...(isDevelopment && group.heading === 'Administration' ? [PROFILE] : [])].filter(
      ({ path }) => may(PAGE_PERMISSIONS[path]),
    ),
  })).filter(({ entries }) => entries.length > 0)
}
