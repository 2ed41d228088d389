import type { Path } from '#console/router/addressText.ts'
import type { Permission } from '#domain/permissions/permissions.ts'

/** Who may open what, of the pages that not everybody may; menu, pages and palette say the same. */
export const PAGE_PERMISSIONS = {
  '/overview': 'seeDevices',
  '/analytics': 'analytics',
  '/devices': 'seeDevices',
  '/devices/$guid': 'seeDevices',
  '/locations': 'seeDevices',
  '/alerts': 'seeDevices',
  '/incidents': 'seeDevices',
  '/incidents/incident': 'seeDevices',
  // Analysts come from the markers of a chart.
  '/alerts/alert-details': 'seeDevicesOrAnalytics',
  '/maintenance-windows': 'seeDevices',
  '/thresholds': 'admin',
  '/users': 'admin',
  '/users/user-details': 'admin',
  '/users/add-user': 'admin',
  '/roles': 'staffAdmin',
  '/single-sign-on': 'staffAdmin',
  '/customers': 'staffAdmin',
  '/channels': 'admin',
  '/who-is-told': 'admin',
  '/status-pages': 'admin',
  '/client-software': 'staffAdmin',
  '/client-updates': 'staffAdmin',
  '/client-updates/new': 'staffAdmin',
  '/client-updates/$updateId': 'staffAdmin',
  '/audit-log': 'deviceManager',
  '/system': 'staffAdmin',
  '/profile': 'admin',
} as const satisfies Partial<Record<Path, Permission>>
export type GuardedPath = keyof typeof PAGE_PERMISSIONS
