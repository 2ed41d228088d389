import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FaultSchedule } from '#contract/fleet.ts'
import { EVENT_TYPES, eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { reportedComponents, standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import type { Reading } from '../readings.ts'
import { readingAt } from './readingAt.ts'
import { NOTHING_SET } from './registers.ts'
import { ambientLightLux, solarElevationDegrees } from './weather.ts'
import type { World } from './world.ts'

const YEAR_MS = 365 * 86_400_000
const moment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
const place = fc.record({
  seed: fc.nat(0xffffffff),
  latitude: fc.double({ min: -55, max: 66, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})

function worldOf(
  at: { seed: number; latitude: number; longitude: number },
  modelId = 1,
  faults: FaultSchedule[] = [],
): World {
  const components = standardComponents(modelId as DeviceModelId)
  return { ...at, fitting: { modelId, components }, faults, registers: NOTHING_SET, clientVersion: '1.2.3' }
}
const always = (kind: FaultSchedule['kind']): FaultSchedule => ({
  kind,
  everyMinutes: 60,
  forMinutes: 60,
  phaseMinutes: 0,
})
const MUNICH = { seed: 7, latitude: 48.1, longitude: 11.6 }
const NOON_MS = Date.UTC(2026, 6, 10, 11)
const displayOf = (world: World, atMs: number) => readingAt(world, { topic: 'display', number: 1 }, atMs) ?? {}
const upsOf = (world: World, atMs: number) => readingAt(world, { topic: 'ups', number: 1 }, atMs) ?? {}

/** The lowest and highest plausible value of each field; every number of the catalogue must have one. */
const BOUNDS: Record<string, readonly [number, number]> = {
  internal_temp: [-45, 95],
  external_temp: [-45, 55],
  intake_temp: [-45, 75],
  exhaust_temp: [-45, 100],
  cpu_temp: [0, 100],
  temp: [-40, 90],
  humidity: [0, 1023],
  ambient_light: [0, 100_000],
  min_ambient_light: [0, 100_000],
  max_ambient_light: [0, 100_000],
  gamma_value: [1.8, 2.6],
  battery_voltage: [22, 28],
  input_voltage: [0, 245],
  output_voltage: [110, 245],
  battery_runtime: [0, 6000],
  signal_strength: [-113, -51],
  network_received: [0, 5000],
  network_sent: [0, 5000],
  frame_rate: [0, 30],
  uptime: [0, 60 * 86_400],
  energy: [0, 50_000],
  active_power: [0, 1000],
  status_id: [1, 2],
}
const boundsOf = (name: string): readonly [number, number] =>
  BOUNDS[name] ?? (/^\d$/.test(name) ? [0, 2_000_000] : /_speed$/.test(name) ? [0, 3600] : [0, 100])

/** The agent adds these to readings, or nobody has asked the UPS for them yet (`batteryTests.test.ts`). */
const TOLD_BY_THE_AGENT = new Set([
  ...['device client_features', 'device client_starts', 'ups battery_test_at', 'ups battery_test_result'],
  ...['router data_used', 'router data_used_percent'],
])

/** Only a real part detects these faults in itself; simulated ones have those of `FaultKind`. */
const FOUND_BY_PARTS = new Set(['display lamp_fault', 'display diagnosis', 'ups replace_battery', 'ups alarm'])

test('every field of the catalogue is reported by some model, whole numbers whole, all within bounds', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(place, moment, fc.constantFrom(1, 15, 16, 22), (at, atMs, modelId) => {
      const world = worldOf(at, modelId)
      for (const component of reportedComponents(modelId as DeviceModelId, world.fitting.components)) {
        const reading: Reading = readingAt(world, component, atMs) ?? {}
        const fields = eventTypeByTopic(component.topic)?.fields ?? []
        expect(Object.keys(reading).filter((name) => !fields.some((field) => field.name === name))).toEqual([])
        for (const { name, storage } of fields) {
          const value = reading[name]
          if (value === undefined) continue
          seen.add(`${component.topic} ${name}`)
          if (storage === 'text') {
            expect(typeof value).toBe('string')
            continue
          }
          const [lowest, highest] = boundsOf(name)
          expect(Number(value), `${component.topic} ${name}`).toBeGreaterThanOrEqual(lowest)
          expect(Number(value), `${component.topic} ${name}`).toBeLessThanOrEqual(highest)
          if (storage === 'integer') expect(Number.isInteger(value), name).toBe(true)
        }
      }
    }),
    { numRuns: 200 },
  )
  const all = EVENT_TYPES.flatMap(({ topic, fields }) => fields.map(({ name }) => `${topic} ${name}`))
  const expected = all.filter((name) => !TOLD_BY_THE_AGENT.has(name) && !FOUND_BY_PARTS.has(name))
  expect(expected.filter((name) => !seen.has(name))).toEqual([])
})

test('the same seed and moment always give the same reading, another seed another', () => {
  fc.assert(
    fc.property(place, moment, (at, atMs) => {
      expect(displayOf(worldOf(at), atMs)).toEqual(displayOf(worldOf(at), atMs))
      const other = worldOf({ ...at, seed: (at.seed + 1) % 0xffffffff })
      expect(displayOf(other, atMs)).not.toEqual(displayOf(worldOf(at), atMs))
    }),
  )
})

test('temperature moves without jumps: never more than 1.5 degrees in five seconds, even when overheating begins', () => {
  fc.assert(
    fc.property(place, moment, (at, atMs) => {
      const world = worldOf(at, 1, [{ kind: 'overheating', everyMinutes: 30, forMinutes: 10, phaseMinutes: 0 }])
      const before = Number(displayOf(world, atMs).internal_temp)
      const after = Number(displayOf(world, atMs + 5000).internal_temp)
      expect(Math.abs(after - before)).toBeLessThan(1.5)
    }),
  )
})

test('the sun stands highest at noon, higher in summer, and not at all in a polar night', () => {
  const summerNoon = solarElevationDegrees(48.1, 11.6, Date.UTC(2026, 5, 21, 11, 14))
  const winterNoon = solarElevationDegrees(48.1, 11.6, Date.UTC(2026, 11, 21, 11, 12))
  expect(summerNoon).toBeCloseTo(65.3, 0)
  expect(winterNoon).toBeCloseTo(18.5, 0)
  expect(solarElevationDegrees(48.1, 11.6, Date.UTC(2026, 5, 21, 23))).toBeLessThan(-15)
  for (let hour = 0; hour < 24; hour++) {
    expect(solarElevationDegrees(70, 25, Date.UTC(2026, 11, 21, hour))).toBeLessThan(0)
  }
})

test('backlight follows the light outside, and the warm afternoon is warmer than the night', () => {
  const world = worldOf(MUNICH)
  const night = displayOf(world, NOON_MS + 12 * 3_600_000)
  const noon = displayOf(world, NOON_MS)
  expect(ambientLightLux(MUNICH, NOON_MS)).toBeGreaterThan(5000)
  expect(Number(noon.backlight_level)).toBeGreaterThan(Number(night.backlight_level))
  const meanTemperature = (hourUtc: number) => {
    let sum = 0
    for (let day = 0; day < 30; day++) {
      const atMs = Date.UTC(2026, 6, 1 + day, hourUtc)
      sum += Number(displayOf(world, atMs).internal_temp)
    }
    return sum / 30
  }
  expect(meanTemperature(14)).toBeGreaterThan(meanTemperature(2) + 5)
})

test('on battery the charge only falls, and only rises once the mains are back', () => {
  fc.assert(
    fc.property(place, fc.nat(YEAR_MS), fc.integer({ min: 5, max: 120 }), (at, sinceMs, forMinutes) => {
      const everyMinutes = 360
      const fault: FaultSchedule = { kind: 'onBattery', everyMinutes, forMinutes, phaseMinutes: 0 }
      const world = worldOf(at, 1, [fault])
      const startMs = Math.floor((Date.UTC(2026, 0, 1) + sinceMs) / (everyMinutes * 60_000)) * everyMinutes * 60_000
      let before = upsOf(world, startMs)
      for (let minute = 1; minute < everyMinutes; minute++) {
        const after = upsOf(world, startMs + minute * 60_000)
        const isOnBattery = minute < forMinutes
        expect(after.status).toBe(isOnBattery ? 'on battery' : 'on line interactive normal')
        const gain = Number(after.battery_charge) - Number(before.battery_charge)
        // The charge may fall and rise in the minute in which mains power returns.
        if (minute !== forMinutes) expect(isOnBattery ? -gain : gain).toBeGreaterThanOrEqual(0)
        before = after
      }
      expect(Number(before.battery_charge)).toBeGreaterThan(90)
    }),
    { numRuns: 30 },
  )
})

test('each fault shows in the readings that an operator would look at', () => {
  const healthy = displayOf(worldOf(MUNICH), NOON_MS)
  const displayWith = (kind: FaultSchedule['kind']) =>
    displayOf(worldOf(MUNICH, 1, [always(kind)]), NOON_MS + 1_800_000)
  const computerWith = (kind: FaultSchedule['kind']) =>
    readingAt(worldOf(MUNICH, 1, [always(kind)]), { topic: 'device', number: 1 }, NOON_MS)

  expect(Number(displayWith('overheating').internal_temp)).toBeGreaterThan(Number(healthy.internal_temp) + 15)
  expect(displayWith('overheating')).toMatchObject({ fan1_speed_target: 100 })
  expect(displayWith('sourceLost')).toMatchObject({ source: 'ARGB', out_of_order_status: 'ARGB' })
  expect(computerWith('sourceLost')).toMatchObject({ status_id: 2 })
  expect(displayWith('fanStuck')).toMatchObject({ fan2_speed: 0 })
  expect(displayWith('fanStuck').fan1_speed).toBeGreaterThan(0)
  expect(displayWith('backlightDead')).toMatchObject({ backlight_level: 0 })
  expect(displayWith('displayUnreachable')).toEqual({})
})

test('counters of buttons never go back', () => {
  fc.assert(
    fc.property(place, moment, fc.nat(7 * 86_400_000), (at, atMs, laterMs) => {
      const world = worldOf(at, 15)
      const before = readingAt(world, { topic: 'yocto', number: 1 }, atMs) ?? {}
      const after = readingAt(world, { topic: 'yocto', number: 1 }, atMs + laterMs) ?? {}
      for (const button of ['1', '2', '3', '4', '5'] as const) {
        expect(Number(after[button])).toBeGreaterThanOrEqual(Number(before[button]))
      }
    }),
  )
})
