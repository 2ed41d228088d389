import { expect, test } from 'vitest'
import type { Permission } from '#domain/permissions/permissions.ts'
import { visibleNavigation } from './navigation.ts'

const labelsOf = (permissions: readonly Permission[], isDevelopment: boolean) =>
  visibleNavigation((permission) => permissions.includes(permission), isDevelopment).flatMap(({ entries }) =>
    entries.map(({ label }) => label),
  )
const labelsFor = (...permissions: Permission[]) => labelsOf(permissions, false)

test('a device manager finds overview, devices, locations, incidents, alerts, maintenance and the audit log', () => {
  expect(labelsFor('seeDevices', 'deviceManager')).toEqual([
    'Overview',
    'Devices',
    'Locations',
    'Incidents',
    'Alerts',
    'Maintenance windows',
    'Audit log',
  ])
})

test('who only sees devices finds all of that but the audit log', () => {
  expect(labelsFor('seeDevices')).toEqual([
    'Overview',
    'Devices',
    'Locations',
    'Incidents',
    'Alerts',
    'Maintenance windows',
  ])
})

test('the profile is there in development mode, for admins', () => {
  expect(labelsOf(['admin'], true)).toContain('Profile')
  expect(labelsOf(['admin'], false)).not.toContain('Profile')
  expect(labelsOf(['deviceManager'], true)).not.toContain('Profile')
})

test('Administration is for admins; what concerns every customer is for those of the staff', () => {
  expect(labelsFor('admin')).toEqual(['Alert Thresholds', 'Notifications', 'Channels', 'Status pages', 'Users'])
  expect(labelsFor('admin', 'staffAdmin')).toEqual([
    'Alert Thresholds',
    'Notifications',
    'Channels',
    'Status pages',
    'Users',
    'Roles',
    'Single sign-on',
    'Customers',
    'Device software',
    'Rollouts',
    'System',
  ])
})

test('an analyst finds Analytics alone, and nobody else finds it', () => {
  expect(labelsFor('analytics')).toEqual(['Analytics'])
  expect(labelsFor('deviceManager')).not.toContain('Analytics')
})

test('who may open nothing has no entries, and no heading stands over nothing', () => {
  expect(visibleNavigation(() => false)).toEqual([])
  expect(visibleNavigation(() => true).every(({ entries }) => entries.length > 0)).toBe(true)
})
