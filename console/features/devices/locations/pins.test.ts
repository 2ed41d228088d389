import { expect, test } from 'vitest'
import { type DevicePins, devicePins } from '#contract/http/devices/pins.ts'
import type { DeviceEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { pinsOf, withEvents } from './pins.ts'

const COLUMNS: DevicePins = devicePins.parse({
  ids: [1, 2, 3],
  guids: [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`),
  names: ['Stop 10', 'stop 9', 'Ålborg'],
  latitudes: [50, 51, 52],
  longitudes: [14, 15, 16],
  statusIds: [2, 3, 1],
  connStatusIds: [1, 0, 1],
  activeAlerts: [0, 4, 0],
  lights: [null, 'unplanned', null],
  lightSince: [null, '2026-11-21T10:00:00.000Z', null],
  lightIsAtLeast: [false, true, false],
  onBattery: [null, true, null],
  wrong: [null, 'dark', 'silent'],
  silentSince: [null, null, '2026-11-21T09:00:00.000Z'],
  causes: [null, 'No mains.', null],
  withoutPosition: 7,
})
const event = (changes: Partial<DeviceEvent>): DeviceEvent => ({
  id: 1 as DeviceId,
  connStatusId: 1,
  statusId: 2,
  lastEvent: null,
  activeAlerts: 0,
  light: null,
  lightSince: null,
  lightIsAtLeast: false,
  lightCause: null,
  worstAlert: null,
  clockErrorMs: null,
  refusedSince: null,
  identityConflictSince: null,
  isOnBattery: null,
  wrong: null,
  tags: [],
  ...changes,
})
const told = (one: DeviceEvent) => new Map([[one.id, one]])

test('columns become pins in the order of their names, numbers as numbers', () => {
  const pins = pinsOf(COLUMNS)
  expect(pins.map(({ name }) => name)).toEqual(['Ålborg', 'stop 9', 'Stop 10'])
  expect(pins[1]).toEqual({
    id: 2,
    guid: '00000000-0000-4000-8000-000000000002',
    name: 'stop 9',
    latitude: 51,
    longitude: 15,
    statusId: 3,
    connStatusId: 0,
    activeAlerts: 4,
    light: 'unplanned',
    lightSince: '2026-11-21T10:00:00.000Z',
    lightIsAtLeast: true,
    wrong: 'dark',
    silentSince: null,
    isOnBattery: true,
    cause: 'No mains.',
  })
})

test('a mere report changes no pin, so nothing is drawn again', () => {
  const pins = pinsOf(COLUMNS)
  expect(withEvents(pins, told(event({ lastEvent: '2026-11-21T10:00:00.000Z' })))).toBe(pins)
})

test.each([
  { activeAlerts: 2 },
  { connStatusId: 0 },
  { statusId: 5 },
  { light: 'unplanned' },
  { isOnBattery: true },
] as const)('an event with %j changes its own pin', (change) => {
  const pins = pinsOf(COLUMNS)
  const moved = withEvents(pins, told(event(change)))
  expect(moved[2]).toEqual({ ...pins[2], ...change })
  expect(moved.slice(0, 2)).toEqual(pins.slice(0, 2))
})
