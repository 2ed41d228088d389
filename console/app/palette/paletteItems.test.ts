import { IconPlus } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import { type PaletteGroupName, type PaletteItem, paletteGroups } from './paletteItems.ts'

const item = (group: PaletteGroupName, label: string, searchTerms = ''): PaletteItem => ({
  id: `${group} ${label}`,
  group,
  label,
  searchTerms,
  icon: IconPlus,
  run: () => undefined,
})
const ITEMS = [
  item('Devices', 'Praha 0001'),
  item('This device', 'Alerts'),
  item('This device', 'Status'),
  item('Pages', 'Alerts'),
  item('Pages', 'Alert Thresholds'),
  item('Actions', 'Logout', 'sign out'),
]
const shown = (typed: string) =>
  paletteGroups(ITEMS, typed).map(({ name, items }) => `${name}: ${items.map(({ label }) => label).join(', ')}`)

test('before anything is typed devices come first, and everything is offered', () => {
  expect(shown('  ')).toEqual([
    'Devices: Praha 0001',
    'This device: Alerts, Status',
    'Pages: Alerts, Alert Thresholds',
    'Actions: Logout',
  ])
})

test('each typed word begins a word of what is found; devices were found by the server', () => {
  expect(shown('al')).toEqual(['This device: Alerts', 'Pages: Alerts, Alert Thresholds', 'Devices: Praha 0001'])
  expect(shown('THR al')).toEqual(['Pages: Alert Thresholds', 'Devices: Praha 0001'])
  expect(shown('lert')).toEqual(['Devices: Praha 0001'])
})

test('an action is also found by its other words, and accents do not matter', () => {
  expect(shown('sign')).toEqual(['Actions: Logout', 'Devices: Praha 0001'])
  expect(shown('státus')).toEqual(['This device: Status', 'Devices: Praha 0001'])
})

test('what begins with the words comes first, so that Enter opens a page before it changes anything', () => {
  const items = [
    item('This device', 'Change the status to Maintenance'),
    item('This device', 'Note a visit', 'maintenance'),
    item('This device', 'Maintenance'),
  ]
  const labels = (typed: string) =>
    paletteGroups(items, typed).flatMap((group) => group.items.map(({ label }) => label))
  expect(labels('maint')).toEqual(['Maintenance', 'Change the status to Maintenance', 'Note a visit'])
})
