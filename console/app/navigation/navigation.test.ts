import { expect, test } from 'vitest'
import type { Permission } from '#domain/permissions/permissions.ts'
import { leadsTo, NAVIGATION, visibleNavigation } from './navigation.ts'

const menuOf = (permissions: readonly Permission[], isDevelopment = false) =>
  visibleNavigation((permission) => permissions.includes(permission), isDevelopment)
const labelsFor = (...permissions: Permission[]) =>
  menuOf(permissions).flatMap(({ entries }) => entries.map(({ label }) => label))
const tabsFor = (label: string, ...permissions: Permission[]) =>
  menuOf(permissions)
    .flatMap(({ entries }) => entries)
    .find((entry) => entry.label === label)
    ?.tabs.map((tab) => tab.label)

test('the first two groups are those of the specification, in its order and words', () => {
  const [controlPanel, administration] = NAVIGATION.map(({ heading, entries }) => [
    heading,
    ...entries.map(({ label }) => label),
  ])
  expect(controlPanel).toEqual([
    'CONTROL PANEL',
    'Overview',
    'Devices',
    'Locations',
    'Alerts',
    'Analytics',
    'Audit log',
  ])
  expect(administration).toEqual(['Administration', 'Alert Thresholds', 'Users', 'Roles'])
})

test('what the specification does not name stands in a third group', () => {
  const [, , settings, ...others] = NAVIGATION.map(({ heading, entries }) => [
    heading,
    ...entries.map(({ label }) => label),
  ])
  expect(settings).toEqual(['SETTINGS', 'Notifications', 'Customers', 'Device software', 'System'])
  expect(others).toEqual([])
})

test('a device manager finds overview, devices, locations, alerts, analytics and the audit log', () => {
  const labels = ['Overview', 'Devices', 'Locations', 'Alerts', 'Analytics', 'Audit log']
  expect(labelsFor('seeDevices', 'deviceManager')).toEqual(labels)
})

test('who only sees devices finds all of that but the audit log', () => {
  expect(labelsFor('seeDevices')).toEqual(['Overview', 'Devices', 'Locations', 'Alerts', 'Analytics'])
})

test('pages on one subject are tabs of one entry', () => {
  expect(tabsFor('Devices', 'seeDevices', 'createDevice')).toEqual(['Devices', 'Install', 'Visits'])
  expect(tabsFor('Devices', 'seeDevices', 'createDevice', 'admin')).toEqual(['Devices', 'Waiting', 'Install', 'Visits'])
  expect(tabsFor('Alerts', 'seeDevices')).toEqual(['Alerts', 'Incidents', 'Maintenance windows'])
  const aboutLight = ['Light statements', 'Proof of light', 'Light rules', 'Energy', 'Panel life']
  expect(tabsFor('Analytics', 'seeDevices', 'analytics')).toEqual(['Analytics', ...aboutLight])
  expect(tabsFor('Analytics', 'seeDevices')).toEqual(aboutLight)
  expect(tabsFor('Users', 'admin', 'staffAdmin')).toEqual(['Users', 'Single sign-on'])
  expect(tabsFor('Notifications', 'admin')).toEqual(['Routes', 'On-call', 'Channels'])
  expect(tabsFor('Customers', 'admin', 'staffAdmin')).toEqual(['Customers', 'Status pages'])
  expect(tabsFor('Device software', 'staffAdmin')).toEqual(['Releases', 'Rollouts'])
})

test('a tab is there only for who may open it, and an entry with one page has its name', () => {
  expect(tabsFor('Users', 'admin')).toEqual(['Users'])
  expect(tabsFor('Status pages', 'admin')).toEqual(['Status pages'])
})

test('the profile is there in development mode, for admins', () => {
  const labels = (...permissions: Permission[]) =>
    menuOf(permissions, true).flatMap(({ entries }) => entries.map(({ label }) => label))
  expect(labels('admin')).toContain('Profile')
  expect(labelsFor('admin')).not.toContain('Profile')
  expect(labels('deviceManager')).not.toContain('Profile')
})

test('Administration is for admins; what concerns every customer is for those of the staff', () => {
  const forAdmins = ['Alert Thresholds', 'Users', 'Notifications', 'Status pages']
  expect(labelsFor('admin', 'seeDevices').slice(-forAdmins.length)).toEqual(forAdmins)
  expect(labelsFor('admin', 'staffAdmin').slice(1)).toEqual([
    'Alert Thresholds',
    'Users',
    'Roles',
    'Notifications',
    'Customers',
    'Device software',
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

test('the entry of a section is the current one on all of its pages, also on those of its records', () => {
  const entries = NAVIGATION.flatMap((group) => group.entries)
  const currentAt = (pathname: string) => entries.filter((entry) => leadsTo(entry, pathname)).map(({ label }) => label)
  expect(currentAt('/incidents/incident')).toEqual(['Alerts'])
  expect(currentAt('/maintenance-windows')).toEqual(['Alerts'])
  expect(currentAt('/users/user-details')).toEqual(['Users'])
  expect(currentAt('/device-software/rollouts/7')).toEqual(['Device software'])
  expect(currentAt('/devices/abc/status')).toEqual(['Devices'])
})
