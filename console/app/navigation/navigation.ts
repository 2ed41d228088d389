import {
  type Icon,
  IconAdjustmentsExclamation,
  IconAlertTriangle,
  IconBellRinging,
  IconBuilding,
  IconChartAreaLine,
  IconDeviceTv,
  IconHeartbeat,
  IconHistory,
  IconLayoutDashboard,
  IconMapPin,
  IconPackage,
  IconShieldLock,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import type { Permission } from '#domain/permissions/permissions.ts'
import { type GuardedPath, PAGE_PERMISSIONS } from './pagePermissions.ts'

export type PlainPath = Exclude<GuardedPath, `${string}$${string}`>

/** Badges are counted only for the entries that have one. */
export type BadgeName = 'activeIncidents' | 'haltedRollouts'

export interface NavigationTab {
  readonly path: PlainPath
  readonly label: string
  /** The letter that leads here after `g`. */
  readonly key?: string
}

export interface NavigationEntry {
  readonly label: string
  readonly icon: Icon
  readonly badge?: BadgeName
  /** Pages on one subject are tabs of each other; the entry leads to the first. */
  readonly tabs: readonly [NavigationTab, ...NavigationTab[]]
}

export interface NavigationGroup {
  readonly heading: string
  readonly entries: readonly NavigationEntry[]
}

const page = (path: PlainPath, label: string, icon: Icon, key?: string): NavigationEntry => ({
  label,
  icon,
  tabs: [{ path, label, ...(key === undefined ? {} : { key }) }],
})

/** Each user sees only the pages that they may open (rules/addresses 13). */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    heading: 'CONTROL PANEL',
    entries: [
      page('/overview', 'Overview', IconLayoutDashboard, 'o'),
      {
        label: 'Devices',
        icon: IconDeviceTv,
        tabs: [
          { path: '/devices', label: 'Devices', key: 'd' },
          { path: '/waiting-devices', label: 'Waiting' },
          { path: '/install', label: 'Install' },
          { path: '/visits', label: 'Visits', key: 'v' },
        ],
      },
      page('/locations', 'Locations', IconMapPin, 'l'),
      {
        label: 'Alerts',
        icon: IconAlertTriangle,
        badge: 'activeIncidents',
        tabs: [
          { path: '/alerts', label: 'Alerts', key: 'a' },
          { path: '/incidents', label: 'Incidents', key: 'i' },
          { path: '/maintenance-windows', label: 'Maintenance windows', key: 'm' },
        ],
      },
      {
        label: 'Analytics',
        icon: IconChartAreaLine,
        tabs: [
          { path: '/analytics', label: 'Analytics', key: 'n' },
          { path: '/light-statements', label: 'Light statements', key: 'f' },
          { path: '/proof-of-light', label: 'Proof of light', key: 'q' },
          { path: '/light-rules', label: 'Light rules', key: 'x' },
          { path: '/energy', label: 'Energy', key: 'g' },
          { path: '/panel-life', label: 'Panel life', key: 'z' },
        ],
      },
      page('/audit-log', 'Audit log', IconHistory, 'h'),
    ],
  },
  {
    heading: 'Administration',
    entries: [
      page('/thresholds', 'Alert Thresholds', IconAdjustmentsExclamation, 't'),
      {
        label: 'Users',
        icon: IconUsers,
        tabs: [
          { path: '/users', label: 'Users', key: 'u' },
          { path: '/single-sign-on', label: 'Single sign-on', key: 'j' },
        ],
      },
      page('/roles', 'Roles', IconShieldLock, 'r'),
    ],
  },
  {
    heading: 'SETTINGS',
    entries: [
      {
        label: 'Notifications',
        icon: IconBellRinging,
        tabs: [
          { path: '/notifications/routes', label: 'Routes', key: 'w' },
          { path: '/notifications/on-call', label: 'On-call', key: 'b' },
          { path: '/notifications/channels', label: 'Channels', key: 'k' },
        ],
      },
      {
        label: 'Customers',
        icon: IconBuilding,
        tabs: [
          { path: '/customers', label: 'Customers', key: 'c' },
          { path: '/status-pages', label: 'Status pages', key: 'e' },
        ],
      },
      {
        label: 'Device software',
        icon: IconPackage,
        badge: 'haltedRollouts',
        tabs: [
          { path: '/device-software/releases', label: 'Releases', key: 's' },
          { path: '/device-software/rollouts', label: 'Rollouts', key: 'p' },
        ],
      },
      page('/system', 'System', IconHeartbeat, 'y'),
    ],
  },
]

/** Only admins see it, and only in development mode (rules/addresses 11). */
const PROFILE = page('/profile', 'Profile', IconUserCircle)

/** Headings without entries are left out, and an entry with a single page has the name of that page. */
export function visibleNavigation(
  may: (permission: Permission) => boolean,
  isDevelopment: boolean = import.meta.env.DEV,
): readonly NavigationGroup[] {
  return NAVIGATION.map(({ heading, entries }) => ({
    heading,
    entries: [...entries, ...(isDevelopment && heading === 'Administration' ? [PROFILE] : [])].flatMap((entry) => {
      const [first, ...others] = entry.tabs.filter(({ path }) => may(PAGE_PERMISSIONS[path]))
      if (first === undefined) return []
      return [{ ...entry, label: others.length === 0 ? first.label : entry.label, tabs: [first, ...others] as const }]
    }),
  })).filter(({ entries }) => entries.length > 0)
}

/** A page belongs to the entry that has it as a tab, or has the page above it. */
export const leadsTo = ({ tabs }: NavigationEntry, pathname: string): boolean =>
  tabs.some(({ path }) => `${pathname}/`.startsWith(`${path}/`))
