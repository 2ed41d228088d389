import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backlight } from '#console/testing/tiles.ts'
import type { DashboardItem } from '#contract/http/devices/status.ts'
import type { StateEvent } from '#contract/http/live.ts'
import type { DeviceId, DeviceModelId, FieldId } from '#domain/ids.ts'
import { groupTiles, isStaleAt, type LiveReadings, shownValueOf, tileOf, withLiveState } from './tiles.ts'

const BACKLIGHT = 4113 as FieldId
const UNKNOWN_TO_US = 99_101 as FieldId
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second))
const nothingLive: LiveReadings = new Map()

const item = (changes: Partial<DashboardItem> = {}) =>
  backlight({ data_points_24h: Array.from({ length: 24 }, () => null), value_dt: at(10).toISOString(), ...changes })

function event(second: number, value: number): StateEvent {
  return {
    deviceId: 1 as DeviceId,
    values: [{ field_id: BACKLIGHT, field_value: value, value_dt: at(second).toISOString() }],
  }
}

const shownReading = (items: readonly DashboardItem[], live: LiveReadings) =>
  groupTiles(items, live)[0]?.tiles[0]?.reading

test('a newer report moves the tile on', () => {
  expect(shownReading([item()], withLiveState(nothingLive, event(11, 55)))).toEqual({ value: 55, at: at(11) })
})

test('an older report never overwrites a newer value', () => {
  expect(shownReading([item()], withLiveState(nothingLive, event(9, 55)))).toEqual({ value: 80, at: at(10) })
})

test('a second report of the same instant changes nothing, as in the database', () => {
  const live = withLiveState(nothingLive, event(11, 55))
  expect(withLiveState(live, event(11, 56))).toBe(live)
})

test('an answer that left the server before a live report does not take the report back', () => {
  const live = withLiveState(nothingLive, event(20, 55))
  expect(shownReading([item({ field_value: 70, value_dt: at(15).toISOString() })], live)?.value).toBe(55)
})

test('in whatever order reports arrive, the newest is shown', () => {
  const reports = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1 })
  fc.assert(
    fc.property(reports, (seconds) => {
      const live = seconds.reduce((known, second) => withLiveState(known, event(second, second)), nothingLive)
      expect(live.get(BACKLIGHT)).toEqual({ value: Math.max(...seconds), at: at(Math.max(...seconds)) })
    }),
  )
})

test('the first report of a field fills its empty tile', () => {
  const empty = item({ field_value: null, value_dt: null })
  expect(tileOf(empty).reading).toBeUndefined()
  expect(shownReading([empty], withLiveState(nothingLive, event(1, 5)))?.value).toBe(5)
})

test('a report of a component that the device does not have makes no tile', () => {
  const live = withLiveState(nothingLive, event(11, 55))
  expect(groupTiles([item({ field_id: 5102 as FieldId, group_name: 'Ups' })], live)).toMatchObject([
    { name: 'UPS', tiles: [{ fieldId: 5102 }] },
  ])
})

test('groups keep the order of the components, even when their tiles are mixed', () => {
  const items = ['Device', 'Display 2', 'Device', 'Ups'].map((group_name) => item({ group_name }))
  expect(groupTiles(items, nothingLive).map(({ name, anchor, tiles }) => [name, anchor, tiles.length])).toEqual([
    ['Device', 'group-device', 2],
    ['Display 2', 'group-display-2', 1],
    ['UPS', 'group-ups', 1],
  ])
})

test('a value is written by the display rule of its field', () => {
  expect(shownValueOf(tileOf(item({ field_value: 80.126 })), 1 as DeviceModelId)).toEqual({
    text: '80.13',
    unit: '%',
    isKnown: true,
  })
})

test('nothing known is a dash and never a zero', () => {
  const unknown = tileOf(item({ field_value: null, value_dt: null }))
  expect(shownValueOf(unknown, 1 as DeviceModelId)).toEqual({ text: '–', isKnown: false })
})

test('a field that the catalogue does not know yet is written as it came', () => {
  const tile = tileOf(item({ field_id: UNKNOWN_TO_US, field_value: 'warm' }))
  expect(shownValueOf(tile, 1 as DeviceModelId)).toEqual({ text: 'warm', isKnown: true })
})

test('a field that cannot be drawn has no chart, one that analytics does not offer has', () => {
  const gaps = Array<null>(24).fill(null)
  expect(tileOf(item({ measurement_id: null, data_points_24h: gaps }))).not.toHaveProperty('hourlyMeans')
  expect(tileOf(item({ measurement_id: null, data_points_24h: [...gaps.slice(1), 7] }))).toHaveProperty('hourlyMeans')
})

test('a value is stale when two report periods did not renew it', () => {
  const reading = { value: 1, at: at(0) }
  expect(isStaleAt(reading.at, new Date(at(0).getTime() + 120_000))).toBe(false)
  expect(isStaleAt(reading.at, new Date(at(0).getTime() + 120_001))).toBe(true)
})
