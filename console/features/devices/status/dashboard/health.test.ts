import { expect, test } from 'vitest'
import { backlight } from '#console/testing/tiles.ts'
import type { ReadingLimit } from '#contract/http/devices/status.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'
import { alertsFact, heatFact, lightFact, networkFact, powerFact } from './health.ts'
import { limitsByField } from './tiles/limitLabels.ts'
import { tileOf } from './tiles/tiles.ts'

const idOf = (wireName: string) => NUMBERED_FIELDS.find((field) => field.wireName === wireName)?.id as FieldId
const tilesOf = (values: Readonly<Record<string, number | null>>) =>
  Object.entries(values).map(([wireName, value]) =>
    tileOf(
      backlight({
        field_id: idOf(wireName),
        field_name: wireName,
        field_value: value,
        ...(value === null && { value_dt: null }),
      }),
    ),
  )
const limit = (
  wireName: string,
  operatorCode: ReadingLimit['operatorCode'],
  value: number,
  severityId = 1,
): ReadingLimit => ({
  field_id: idOf(wireName),
  operatorCode,
  value,
  conditionText: `${wireName} ${operatorCode} ${value}`,
  severityId,
})
const heat = (values: Readonly<Record<string, number | null>>, ...limits: ReadingLimit[]) =>
  heatFact(tilesOf(values), limitsByField(limits))

test('heat is the hottest display, judged by its own limit', () => {
  const found = heat(
    { cpu_temp: 71, d_internal_temp: 31.4, d2_internal_temp: 33 },
    limit('cpu_temp', 'GT', 95),
    limit('d_internal_temp', 'GT', 40),
    limit('d2_internal_temp', 'GTE', 60),
  )
  expect(found).toMatchObject({ value: '33', unit: '°C', tone: 'ok', detail: '27 °C below the limit' })
  expect(found.more).toContain('d2_internal_temp GTE 60')
})

test('of three that are beyond their limit the hottest is shown, and one beyond comes before a hotter one', () => {
  const limits = ['d_internal_temp', 'd2_internal_temp', 'd3_internal_temp'].map((name) => limit(name, 'GT', 40))
  const three = { d_internal_temp: 47.2, d2_internal_temp: 47.8, d3_internal_temp: 48.5 }
  expect(heat(three, ...limits)).toMatchObject({ value: '48.5', tone: 'crit', detail: '8.5 °C above the limit' })
  expect(heat({ d_internal_temp: 42, d2_internal_temp: 44 }, limit('d_internal_temp', 'GT', 40))).toMatchObject({
    value: '42',
    tone: 'crit',
  })
})

test('of a device without a display it is the temperature with the least left to its limit', () => {
  const found = heat(
    { cpu_temp: 71, e_internal_temp: 50 },
    limit('cpu_temp', 'GT', 95),
    limit('e_internal_temp', 'GT', 60),
  )
  expect(found).toMatchObject({ value: '50', detail: '10 °C below the limit' })
})

test('beyond its limit it has the worst severity of those that it is beyond, and says by how much', () => {
  expect(heat({ d_internal_temp: 42 }, limit('d_internal_temp', 'GT', 40))).toMatchObject({
    tone: 'crit',
    detail: '2 °C above the limit',
  })
  const warned = limit('d_internal_temp', 'GT', 40, 2)
  expect(heat({ d_internal_temp: 42 }, warned, limit('d_internal_temp', 'GT', 50))).toMatchObject({ tone: 'warn' })
  expect(heat({ d_internal_temp: 52 }, warned, limit('d_internal_temp', 'GT', 50))).toMatchObject({ tone: 'crit' })
})

test('a limit that no condition sets is not made up', () => {
  expect(heat({ cpu_temp: 71, d_internal_temp: 31, d2_internal_temp: 33 })).toMatchObject({
    value: '33',
    tone: 'off',
    detail: 'd2_internal_temp',
  })
  expect(heat({ d_internal_temp: 31 }, limit('d_internal_temp', 'LT', 5))).toMatchObject({ tone: 'off' })
  expect(heat({ d_internal_temp: null }, limit('d_internal_temp', 'GT', 40))).toMatchObject({ value: '–', detail: '' })
})

test('light says what the verdict says, and nothing without one', () => {
  expect(lightFact({ light: 'planned', lightCause: 'It is night' })).toMatchObject({
    value: 'Planned dark',
    tone: 'off',
    detail: 'It is night',
  })
  expect(lightFact({ light: 'unplanned', lightCause: 'Relay 1 is off' })).toMatchObject({ value: 'Dark', tone: 'crit' })
  expect(lightFact({ light: 'lit', lightCause: null })).toMatchObject({ value: 'Lit', tone: 'ok', detail: '' })
  expect(lightFact({ light: 'lit', lightCause: 'A fan stands' })).toMatchObject({ value: 'Lit', tone: 'off' })
  expect(lightFact({ light: null, lightCause: null })).toMatchObject({ value: '–', tone: 'off' })
})

test('power is mains, battery or not known, with what the UPS has left', () => {
  const ups = tilesOf({ u_battery_charge: 64, u_battery_runtime: 5400 })
  expect(powerFact({ isOnBattery: true }, ups)).toMatchObject({
    value: 'On battery',
    tone: 'warn',
    detail: 'UPS 64 %, 1 h 30 min',
  })
  expect(powerFact({ isOnBattery: false }, [])).toMatchObject({ value: 'Mains', tone: 'ok', detail: '' })
  expect(powerFact({ isOnBattery: null }, ups)).toMatchObject({ value: '–', tone: 'off' })
})

test('network is whether it is connected, and how well', () => {
  expect(
    networkFact({ connStatusId: 1, wrong: null }, tilesOf({ signal_strength: -62, network_received: 35 })),
  ).toMatchObject({
    value: 'Synced',
    tone: 'ok',
    detail: '-62 dBm, 35 kB/s',
  })
  const offline = { value: 'Offline', detail: '' }
  expect(networkFact({ connStatusId: 0, wrong: 'silent' }, [])).toMatchObject({ ...offline, tone: 'crit' })
  expect(networkFact({ connStatusId: 0, wrong: null }, [])).toMatchObject({ ...offline, tone: 'off' })
})

test('alerts that are so now and those that are over are told apart', () => {
  expect(alertsFact({ alertsNow: 1, alertsSeverityId: 2, alertsOver: 2 })).toEqual({
    tone: 'warn',
    value: '1 active',
    detail: '2 resolved, not closed',
  })
  expect(alertsFact({ alertsNow: 0, alertsSeverityId: null, alertsOver: 2 })).toMatchObject({
    tone: 'ok',
    value: 'None',
  })
  expect(alertsFact({ alertsNow: 2, alertsSeverityId: 1, alertsOver: 0 }).detail).toBe('no others open')
  expect(alertsFact({ alertsNow: 0, alertsSeverityId: null, alertsOver: 0 }).detail).toBe('none open')
})
