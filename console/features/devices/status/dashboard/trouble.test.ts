import { expect, test } from 'vitest'
import { backlight } from '#console/testing/tiles.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'
import { limitsByField } from './tiles/limitLabels.ts'
import { tileOf } from './tiles/tiles.ts'
import { troubleOf } from './trouble.ts'

const FINE = {
  ...{ wrong: null, connStatusId: 1, lastEvent: '2026-11-20T10:00:00Z' },
  ...({ light: 'lit', lightCause: null, isOnBattery: false, activeAlerts: 0 } as const),
} as const
const idOf = (wireName: string) => NUMBERED_FIELDS.find((field) => field.wireName === wireName)?.id as FieldId
const tilesOf = (values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([wireName, value]) => tileOf(backlight({ field_id: idOf(wireName), field_value: value })))
const HOT = tilesOf({ d_internal_temp: 47.2, d2_internal_temp: 48.5, d2_intake_temp: 15, d3_internal_temp: 31 })
const LIMITS = limitsByField(
  ['d_internal_temp', 'd2_internal_temp', 'd3_internal_temp'].map((name) => ({
    ...{ field_id: idOf(name), operatorCode: 'GT' as const, value: 40, conditionText: 'Internal temperature > 40' },
    severityId: 2,
  })),
)

test('nothing wrong is no banner', () => {
  expect(troubleOf(FINE, tilesOf({ d_internal_temp: 31 }), LIMITS)).toBeUndefined()
})

test('a hot display is named with its distance, the others that are hot, and the air that goes in', () => {
  expect(troubleOf(FINE, HOT, LIMITS)).toMatchObject({
    kind: 'heat',
    tone: 'warn',
    title: 'Display 2 is too hot: 48.5 °C, 8.5 °C above its limit',
    reasons: ['Also above the limit: Display', 'Intake air is 15 °C'],
  })
})

test('darkness comes before heat, heat before the battery, and an alert of its own words comes last', () => {
  const all = {
    ...FINE,
    ...({ light: 'unplanned', lightCause: 'Relay 1 is off.', isOnBattery: true, activeAlerts: 1 } as const),
  }
  expect(troubleOf(all, HOT, LIMITS)).toMatchObject({ kind: 'dark', title: 'Relay 1 is off.' })
  expect(troubleOf({ ...all, light: 'lit' }, HOT, LIMITS)?.kind).toBe('heat')
  expect(troubleOf({ ...all, light: 'lit' }, [], LIMITS)?.kind).toBe('battery')
  expect(troubleOf({ ...all, light: 'lit', isOnBattery: null }, [], LIMITS)).toEqual({ kind: 'alert', reasons: [] })
})

test('planned darkness and what is unknown are no trouble', () => {
  expect(troubleOf({ ...FINE, light: 'planned' }, [], LIMITS)).toBeUndefined()
  expect(troubleOf({ ...FINE, light: null, isOnBattery: null }, [], LIMITS)).toBeUndefined()
})

test('of a device that is offline only its silence is told, and nothing of one that never reported', () => {
  const offline = { ...FINE, connStatusId: 0, isOnBattery: true, activeAlerts: 1 } as const
  const from = ['The values below are from the last report']
  expect(troubleOf({ ...offline, wrong: 'silent' }, HOT, LIMITS)).toEqual({
    ...{ kind: 'silent', title: 'Not reporting', reasons: from },
  })
  expect(troubleOf(offline, HOT, LIMITS)).toMatchObject({ kind: 'silent', title: 'Offline' })
  expect(troubleOf({ ...offline, lastEvent: null }, HOT, LIMITS)).toBeUndefined()
})
