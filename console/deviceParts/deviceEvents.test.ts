import { expect, test } from 'vitest'
import { type Device, device } from '#contract/http/devices/devices.ts'
import { deviceEvent } from '#contract/http/live.ts'
import { withDeviceEvent } from './deviceEvents.ts'

const GUID = '00000000-0000-4000-8000-000000000001'
const deviceOf = (changes: Partial<Device> = {}): Device =>
  device.parse({
    id: 1,
    guid: GUID,
    name: 'Praha 0001',
    address: '',
    statusId: 2,
    connStatusId: 1,
    lastEvent: '2026-11-20T10:00:00.000Z',
    activeAlerts: 0,
    modelId: 1,
    customerId: 3,
    attrSerial: '',
    latitude: null,
    longitude: null,
    description: '',
    iotDeviceId: GUID,
    internalIp: '',
    externalIp: '',
    timeZone: 'UTC',
    timeZoneIsAssumed: true,
    customerName: 'Harbour',
    light: null,
    lightSince: null,
    lightIsAtLeast: false,
    lightCause: null,
    worstAlert: null,
    clockErrorMs: null,
    refusedSince: null,
    isOnBattery: null,
    identityConflictSince: null,
    wrong: null,
    clientVersion: null,
    tags: [],
    ...changes,
  })
const DARK = {
  light: 'unplanned',
  lightSince: '2026-11-20T09:00:00Z',
  lightIsAtLeast: true,
  lightCause: 'Display is dark.',
  worstAlert: { title: 'Display too hot, limit 40 °C', severityId: 2 },
  clockErrorMs: null,
  refusedSince: null,
  isOnBattery: true,
  identityConflictSince: null,
  wrong: null,
  tags: [],
}
const eventOf = (changes: object = {}) =>
  deviceEvent.parse({ id: 1, connStatusId: 0, statusId: 3, lastEvent: null, activeAlerts: 2, ...DARK, ...changes })

test('an event changes status, connection, alerts and what is so now, and nothing else', () => {
  const before = deviceOf()
  const after = { ...before, connStatusId: 0, statusId: 3, activeAlerts: 2, ...DARK }
  expect(withDeviceEvent(before, eventOf())).toEqual(after)
})

test('an event of another device changes nothing', () => {
  const before = deviceOf()
  expect(withDeviceEvent(before, eventOf({ id: 2 }))).toBe(before)
})

test('the last event only moves forwards', () => {
  const at = (lastEvent: string) => withDeviceEvent(deviceOf(), eventOf({ lastEvent })).lastEvent
  expect(at('2026-11-20T10:00:01Z')).toBe('2026-11-20T10:00:01Z')
  expect(at('2026-11-20T09:59:59Z')).toBe('2026-11-20T10:00:00.000Z')
})

test('the first event of a device that never reported counts', () => {
  const first = eventOf({ lastEvent: '2026-11-20T10:00:00Z' })
  expect(withDeviceEvent(deviceOf({ lastEvent: null }), first).lastEvent).toBe('2026-11-20T10:00:00Z')
})
