import type { Path } from '#console/router/addressText.ts'
import type { Permission } from '#domain/permissions/permissions.ts'

/** The menu, the pages and the palette share these permissions; a page that is absent here is open to everybody. */
export const PAGE_PERMISSIONS = {
  '/overview': 'seeDevices',
  '/analytics': 'analytics',
  '/devices': 'seeDevices',
  '/devices/$guid': 'seeDevices',
  '/locations': 'seeDevices',
  '/alerts': 'seeDevices',
  '/incidents': 'seeDevices',
  '/incidents/incident': 'seeDevices',
  // Analysts reach this page from the markers of a chart.
  '/alerts/alert-details': 'seeDevicesOrAnalytics',
  '/maintenance-windows': 'seeDevices',
  '/thresholds': 'admin',
  '/users': 'admin',
  '/users/user-details': 'admin',
  '/users/add-user': 'admin',
  '/roles': 'staffAdmin',
  '/single-sign-on': 'staffAdmin',
  '/customers': 'staffAdmin',
  '/notifications/channels': 'admin',
  '/notifications/on-call': 'admin',
  '/notifications/routes': 'admin',
  '/status-pages': 'admin',
  '/device-software/releases': 'staffAdmin',
  '/device-software/rollouts': 'staffAdmin',
  '/device-software/rollouts/new': 'staffAdmin',
  '/device-software/rollouts/$updateId': 'staffAdmin',
  '/audit-log': 'deviceManager',
  '/system': 'staffAdmin',
  '/profile': 'admin',
} as const satisfies Partial<Record<Path, Permission>>
export type GuardedPath = keyof typeof PAGE_PERMISSIONS
