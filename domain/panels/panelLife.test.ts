import { expect, test } from 'vitest'
import { cohortsOf, firstDaysOf, poissonBounds } from './cohorts.ts'
import {
  HEAT_CELLS,
  heatCell,
  minutesByLevel,
  minutesByTemperature,
  TEMPERATURE_BANDS,
  temperatureBandName,
} from './heatBands.ts'
import { ageing, type HeatMonth, panelLife, USUAL_LIFE } from './panelLife.ts'

/** A month of 30 days with so many hours of light a day. */
const month = (hours: number, percent: number, celsius: number | undefined): HeatMonth => {
  const heat = new Array<number>(HEAT_CELLS).fill(0)
  heat[heatCell(percent, celsius)] = 30 * 60 * hours
  return { days: 30, heat }
}
const months = (count: number, one: HeatMonth) => Array.from({ length: count }, () => one)

test('minutes of light fall into bands, and what was not reported has one of its own', () => {
  expect(heatCell(1, 10)).toBe(0)
  expect(heatCell(100, undefined)).toBe(HEAT_CELLS - 1)
  const { heat } = month(1, 60, 45)
  expect(minutesByLevel(heat)).toEqual([0, 0, 1800, 0])
  expect(minutesByTemperature(heat)[heatCell(60, 45) % TEMPERATURE_BANDS]).toBe(1800)
  expect([0, 4, 5, 6].map(temperatureBandName)).toEqual(['Below 20 °C', '50–60 °C', '60 °C and hotter', 'Not reported'])
})

test('an hour at full level and rated temperature counts as one', () => {
  expect(ageing(USUAL_LIFE, 100, USUAL_LIFE.ratedCelsius)).toBeCloseTo(1)
})

test('nothing is said before there is enough history, or of a display that is never lit', () => {
  expect(panelLife([{ days: 41, heat: [] }], USUAL_LIFE, 0)).toEqual({ kind: 'tooLittle', days: 41, needed: 180 })
  expect(panelLife(months(6, month(0, 60, 45)), USUAL_LIFE, 0)).toEqual({ kind: 'unused', days: 180 })
})

test('a panel that is hotter or brighter never lasts longer', () => {
  const left = (percent: number, celsius: number) => {
    const life = panelLife(months(8, month(20, percent, celsius)), USUAL_LIFE, 0)
    return life.kind === 'known' ? life.daysLeft : Number.NaN
  }
  for (let celsius = 5; celsius < 75; celsius += 5) {
    for (let percent = 5; percent < 100; percent += 5) {
      expect(left(percent + 5, celsius)).toBeLessThanOrEqual(left(percent, celsius))
      expect(left(percent, celsius + 5)).toBeLessThanOrEqual(left(percent, celsius))
      expect(ageing(USUAL_LIFE, percent, celsius + 1)).toBeGreaterThan(ageing(USUAL_LIFE, percent, celsius))
    }
  }
})

test('the spread shrinks as history grows', () => {
  const shares = [6, 8, 10, 12, 24, 48].map((count) => {
    const mixed = Array.from({ length: count }, (_, index) => month(index % 2 === 0 ? 18 : 22, 60, 45))
    const life = panelLife(mixed, USUAL_LIFE, 0)
    if (life.kind !== 'known') throw new Error('There is enough history.')
    expect(life.earliestDaysLeft).toBeLessThan(life.daysLeft)
    expect(life.latestDaysLeft).toBeGreaterThan(life.daysLeft)
    return (life.latestDaysLeft - life.earliestDaysLeft) / life.daysLeft
  })
  for (const [index, share] of shares.entries()) expect(share).toBeLessThanOrEqual((shares[index - 1] ?? 9) + 1e-3)
})

test('time before it was counted has aged it too', () => {
  const fresh = panelLife(months(6, month(20, 60, 45)), USUAL_LIFE, 0)
  const old = panelLife(months(6, month(20, 60, 45)), USUAL_LIFE, 1000)
  if (fresh.kind !== 'known' || old.kind !== 'known') throw new Error('There is enough history.')
  expect(fresh.daysLeft - old.daysLeft).toBeCloseTo(1000, -1)
})

test('days of failure in a row are one failure', () => {
  expect(firstDaysOf([]).size).toBe(0)
  expect([...firstDaysOf([5, 3, 4, 9, 9, 11])]).toEqual([3, 9, 11])
})

test('a cohort has bounds of confidence, and a small one says that it is too few', () => {
  const share = (name: string, deviceId: number, failures: number) => ({ name, deviceId, hours: 2000, failures })
  const many = Array.from({ length: 20 }, (_, index) => share('Many', index, index < 4 ? 1 : 0))
  const none = Array.from({ length: 20 }, (_, index) => share('None', index, 0))
  const [first, second, third] = cohortsOf([...many, ...none, share('One', 1, 3)])
  expect(first).toMatchObject({ name: 'Many', devices: 20, hours: 40_000, failures: 4, between: 10_000 })
  expect(first?.atLeast).toBeLessThan(10_000)
  expect(first?.atMost).toBeGreaterThan(10_000)
  expect(second).toMatchObject({ name: 'None', between: null, atMost: null, isTooFew: false })
  expect(third).toMatchObject({ name: 'One', between: null, isTooFew: true })
  // The exact bounds of four failures are 1.37 and 9.15.
  expect(poissonBounds(4)[0]).toBeCloseTo(1.37, 1)
  expect(poissonBounds(4)[1]).toBeCloseTo(9.15, 1)
})
