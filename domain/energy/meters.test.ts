import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { addMeters, counterWattHours, meterWattHours, powerWattHours, secondsOf } from './meters.ts'

const DAY = { fromMs: 0, toMs: 24 * HOUR_MS }
const at = (hour: number, value: number) => ({ atMs: hour * HOUR_MS, value })

test('a counter counts differences, and bridges gaps', () => {
  const { wattHours, spans } = counterWattHours([at(1, 100), at(2, 100.5), at(9, 104)], DAY)
  expect(wattHours).toBeCloseTo(4000)
  expect(spans).toEqual([{ fromMs: HOUR_MS, toMs: 9 * HOUR_MS }])
})

test('what was counted over midnight counts by its share of time', () => {
  const { wattHours, spans } = counterWattHours([at(-3, 10), at(1, 12)], DAY)
  expect(wattHours).toBeCloseTo(500)
  expect(spans).toEqual([{ fromMs: 0, toMs: HOUR_MS }])
})

test('after a reset the new value counts, and a leap does not', () => {
  expect(counterWattHours([at(1, 900), at(2, 0.4), at(3, 0.9)], DAY).wattHours).toBeCloseTo(900)
  const leapt = counterWattHours([at(1, 1), at(2, 5000), at(3, 5000.5)], DAY)
  expect(leapt.wattHours).toBeCloseTo(500)
  expect(leapt.spans).toEqual([{ fromMs: 2 * HOUR_MS, toMs: 3 * HOUR_MS }])
})

test('it is never negative, and days add up to the whole, whatever the counter does', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (let round = 0; round < 300; round++) {
    let value = random() * 1000
    let hour = -2
    const readings = Array.from({ length: 60 }, () => {
      hour += random() * 2
      value = random() < 0.05 ? random() * 3 : random() < 0.03 ? value + 9000 : value + random()
      return at(hour, value)
    })
    const whole = counterWattHours(readings, { fromMs: 0, toMs: 48 * HOUR_MS })
    const first = counterWattHours(readings, DAY)
    const second = counterWattHours(readings, { fromMs: DAY.toMs, toMs: 2 * DAY.toMs })
    expect(whole.wattHours).toBeGreaterThanOrEqual(0)
    // What lies over the midnight between is the second day's, by its share.
    expect(first.wattHours + second.wattHours).toBeLessThanOrEqual(whole.wattHours + 1e-6)
    expect(secondsOf(whole.spans)).toBeLessThanOrEqual(48 * 3600)
  }
})

test('power is integrated while a reading holds, and only where no counter counts', () => {
  const power = [0, 1, 2].map((minute) => ({ atMs: minute * MINUTE_MS, value: 600 }))
  const measured = powerWattHours(power, DAY)
  expect(measured.wattHours).toBeCloseTo((600 * 4) / 60)
  expect(secondsOf(measured.spans)).toBe(240)
  const both = meterWattHours({ counter: [at(0.5, 3), at(1, 4)], power }, DAY)
  expect(both.wattHours).toBeCloseTo(1000)
  expect(addMeters([measured, both]).wattHours).toBeCloseTo(1040)
})
