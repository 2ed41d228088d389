import { expect, test } from 'vitest'
import { minutesByTemperature } from '#domain/panels/heatBands.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { displayDay, LIGHT_RULES } from './displayDay.ts'
import { addEnergy, energyOfDisplays, energyOfMeter, NO_ENERGY, SAVED_BY } from './energyFigures.ts'
import { energyPeriod } from './energyPeriod.ts'
import { factorOf, factorsOf, gramsOf } from './gridFactors.ts'
import { costMinor, sumMoney } from './tariffs.ts'

const DAY = { fromMs: 0, toMs: 24 * HOUR_MS }
const POWER = { fullWatts: 400, minimumWatts: 100, darkWatts: 10 }
const NO_PLAN = { offTimes: [], dayPlan: [] }
const hours = (from: number, to: number) => ({ fromMs: from * HOUR_MS, toMs: to * HOUR_MS })

/** A reading each minute, of what a function says of the hour. */
const minutely = (levelAt: (hour: number) => number | undefined) =>
  Array.from({ length: 1440 }, (_, minute) => ({ atMs: minute * MINUTE_MS, value: levelAt(minute / 60) })).filter(
    (one): one is { atMs: number; value: number } => one.value !== undefined,
  )

test('each second is put down to what decided it, and what is saved adds up', () => {
  const day = displayDay(
    DAY,
    {
      levels: minutely((hour) => (hour < 6 ? 0 : hour < 8 ? 50 : hour < 9 ? 0 : hour < 20 ? 80 : 100)),
      automatic: minutely((hour) => (hour >= 9 && hour < 20 ? 1 : 0)),
      temperatures: minutely(() => 45),
    },
    { offTimes: [hours(0, 6)], dayPlan: [hours(6, 8)] },
    [],
  )
  const known = Object.fromEntries(LIGHT_RULES.map((rule) => [rule, day.byRule[rule].known / 3600]))
  expect(known).toEqual({ offTimes: 6, dayPlan: 2, dark: 1, ambient: 11, byHand: 4 })
  expect(day.unknownSeconds).toBe(0)
  const energy = energyOfDisplays(day, POWER)
  expect(energy.saved).toEqual({ offTimes: 6 * 390, dayPlan: 300, ambient: 11 * 60, byHand: 0 })
  expect(energy.notDrawn).toBe(390)
  expect(energy.used).toBe(6 * 10 + 2 * 250 + 10 + 11 * 340 + 4 * 400)
  expect(energy.alwaysFull).toBe(24 * 400)
})

test('what a meter counted is not estimated again, and silence is unknown', () => {
  const readings = { levels: minutely((hour) => (hour < 12 ? 100 : undefined)), automatic: [], temperatures: [] }
  const day = displayDay(DAY, readings, NO_PLAN, [hours(0, 3)])
  expect(day.unmetered.known / 3600).toBeCloseTo(9 + 1 / 60)
  expect(day.unknownSeconds / 3600).toBeCloseTo(12 - 1 / 60)
  const energy = addEnergy(energyOfDisplays(day, POWER), energyOfMeter(1500))
  expect(energy.measured).toBe(1500)
  expect(energy.used).toBe(1500 + energy.estimated)
})

test('a temperature holds for 15 minutes, longer than light does', () => {
  const temperatures = [0, 10, 40].map((minute) => ({ atMs: minute * MINUTE_MS, value: 45 }))
  const day = displayDay(hours(0, 1), { levels: minutely(() => 100), automatic: [], temperatures }, NO_PLAN, [])
  expect(minutesByTemperature(day.heat)).toEqual([0, 0, 0, 40, 0, 0, 20])
})

test('a model without power is neither zero nor guessed', () => {
  const day = displayDay(DAY, { levels: minutely(() => 100), automatic: [], temperatures: [] }, NO_PLAN, [])
  expect(energyOfDisplays(day, undefined)).toEqual({ ...NO_ENERGY, unmodelledSeconds: 86_400 })
})

test('in random days always full is used, saved and not drawn', () => {
  let seed = 11
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (let round = 0; round < 100; round++) {
    const levels = minutely(() => (random() < 0.1 ? undefined : random() < 0.3 ? 0 : Math.round(random() * 100)))
    const offTimes = [hours(random() * 5, 6 + random() * 5)]
    const dayPlan = [hours(4 + random() * 8, 13 + random() * 9)]
    const day = displayDay(DAY, { levels, automatic: minutely(() => 1), temperatures: [] }, { offTimes, dayPlan }, [])
    const known = LIGHT_RULES.reduce((sum, rule) => sum + day.byRule[rule].known, 0)
    expect(known + day.unknownSeconds).toBe(86_400)
    const { used, saved, savedTotal, notDrawn, alwaysFull } = energyOfDisplays(day, POWER)
    expect(savedTotal).toBe(SAVED_BY.reduce((sum, rule) => sum + saved[rule], 0))
    expect(alwaysFull).toBe(used + savedTotal + notDrawn)
    expect(Math.abs(alwaysFull - (known * POWER.fullWatts) / 3600)).toBeLessThanOrEqual(5)
  }
})

test('of days that were never counted nothing is known, each once for its device', () => {
  const light = { light: new Array<number>(15).fill(0), unmetered: [0, 0, 0], unknownSeconds: 100 }
  const cell = (modelId: number, price: number, days: number) => ({
    at: 0,
    part: '2026-02',
    price,
    modelId,
    days,
    ...light,
  })
  const { parts, devices } = energyPeriod(
    { lights: [cell(7, 0, 10), cell(17, 0, 10), cell(7, 1, 5)], meters: [] },
    [
      { from: '2026-01-31', to: '2026-02-20' },
      { from: '2026-03-02', to: '2026-03-01' },
    ],
    ['2026-01', '2026-02', '2026-03'],
    { powers: new Map(), tariffs: [], factor: undefined },
  )
  expect(parts.map(({ figures }) => figures.unknownSeconds)).toEqual([86_400, 300 + 5 * 86_400, 0])
  expect(devices.map(({ figures }) => figures.unknownSeconds)).toEqual([300 + 6 * 86_400, 0])
})

test('money is whole units, cut, and adds up by currency', () => {
  const tariff = { validFrom: '2026-07-01', currency: 'EUR', perKwhThousandths: 30_005 }
  expect(costMinor(1_999, tariff)).toBe(59)
  expect(costMinor(90_000_000_000_000, tariff)).toBe(2_700_450_000_000)
  const money = [
    { currency: 'NOK', minor: 5 },
    { currency: 'EUR', minor: 9 },
    { currency: 'NOK', minor: 6 },
  ]
  expect(sumMoney(money)).toEqual([
    { currency: 'NOK', minor: 11 },
    { currency: 'EUR', minor: 9 },
  ])
})

test('a figure of CO₂ holds until the next one, one set here first, and what is not published is unknown', () => {
  const own = [{ year: 2023, gramsPerKwh: 12, source: 'Supplier' }]
  const factors = factorsOf('NO', own)
  expect(factorOf(factors, 2018)).toBeUndefined()
  expect(factorOf(factors, 2021)?.gramsPerKwh).toBe(8)
  expect(factorOf(factors, 2026)).toEqual({ ...own[0], isOwn: true })
  expect(factorOf(factorsOf('XX', []), 2026)).toBeUndefined()
  const french = factorsOf('FR', [])
  expect(factorOf(french, 2022)).toBeUndefined()
  expect(factorOf(french, 2026)).toMatchObject({ year: 2023, gramsPerKwh: 56, isOwn: false })
  expect(gramsOf(1_999, { year: 2023, gramsPerKwh: 15, source: '' })).toBe(29)
})
