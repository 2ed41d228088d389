import { expect, test } from 'vitest'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import type { MapPin } from './mapPin.ts'
import { pinCard } from './pinCard.ts'

const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString()
const lines = (changes: Partial<MapPin>) => {
  const pin: MapPin = {
    id: 1 as DeviceId,
    guid: '00000000-0000-4000-8000-000000000001' as DeviceGuid,
    name: 'Stop 9',
    latitude: 51,
    longitude: 15,
    statusId: 2,
    connStatusId: 1,
    activeAlerts: 0,
    light: 'unplanned',
    lightSince: hourAgo(),
    lightIsAtLeast: false,
    wrong: 'dark',
    silentSince: null,
    isOnBattery: null,
    cause: 'No mains.',
    ...changes,
  }
  return [...pinCard(pin).children].map(({ textContent }) => textContent)
}

test('a card says for how long a display has been dark, and that it may have been before anything was known', () => {
  expect(lines({})).toEqual(['Stop 9', 'Paired · Synced', 'Dark, not planned, for 1 h 0 min', 'No mains.'])
  expect(lines({ lightIsAtLeast: true })).toContain('Dark, not planned, for at least 1 h 0 min')
})

test('a card tells nothing of light that nobody judged', () => {
  expect(lines({ light: null, lightSince: null, cause: null, wrong: null })).toEqual(['Stop 9', 'Paired · Synced'])
})
