import { expect, test } from 'vitest'
import type { Permission } from '#domain/permissions/permissions.ts'
import { visibleNavigation } from './navigation.ts'

const labelsFor = (...permissions: Permission[]) =>
  visibleNavigation((permission) => permissions.includes(permission)).flatMap(({ entries }) =>
    entries.map(({ label }) => label),
  )

test('a device manager finds overview, devices, locations and alerts', () => {
  expect(labelsFor('deviceManager')).toEqual(['Overview', 'Devices', 'Locations', 'Alerts'])
})

test('Administration with its thresholds is for admins alone', () => {
  expect(labelsFor('admin')).toEqual(['Alert Thresholds'])
})

test('an analyst finds Analytics alone, and nobody else finds it', () => {
  expect(labelsFor('analytics')).toEqual(['Analytics'])
  expect(labelsFor('deviceManager')).not.toContain('Analytics')
})

test('who may open nothing has no entries, and no heading stands over nothing', () => {
  expect(visibleNavigation(() => false)).toEqual([])
  expect(visibleNavigation(() => true).every(({ entries }) => entries.length > 0)).toBe(true)
})
