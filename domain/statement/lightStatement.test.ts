import { expect, test } from 'vitest'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { type CountedDate, isMonthOver, type OwedDevice, stateMonth } from './lightStatement.ts'
import { lastOf, monthAfter } from './months.ts'
import { statementChanges } from './statementChanges.ts'
import { creditMinorOf, moneyText, type StatementTerms, termsProblem } from './statementTerms.ts'

const LATER = Date.parse('2027-06-01T00:00:00Z')
const device = (changes: Partial<OwedDevice> = {}): OwedDevice => ({
  ...{ id: 1 as DeviceId, guid: 'guid' as DeviceGuid, name: 'Totem', address: 'Street 1', timeZone: 'Europe/Oslo' },
  ...{ firstDay: '2020-01-01', beginsMs: null, lastDay: null, hasLeft: false, ...changes },
})
const day = (date: string, changes: Partial<CountedDate> = {}): CountedDate => ({
  ...{ date, unplanned: 0, planned: 0, lit: 0, litInOffTime: 0, maintenance: 0, causes: null, plannedBy: null },
  ...{ away: null, countedToMs: 0, ...changes },
})
const TERMS: StatementTerms = {
  ...{ targetHundredths: 9950, unknownCounts: 'leftOut', currency: 'EUR', feeMinor: 9_999 },
  steps: [
    { belowHundredths: 9900, creditHundredths: 1000 },
    { belowHundredths: 9500, creditHundredths: 5000 },
  ],
}
const monthOf = (month: string, changes: Partial<OwedDevice>, counted: readonly CountedDate[] = []) =>
  stateMonth(month, [{ device: device(changes), counted }], null, LATER)

test.each([
  ['2026-03', 'Europe/Oslo', 31 * 1440 - 60],
  ['2026-10', 'Europe/Oslo', 31 * 1440 + 60],
  ['2026-04', 'Australia/Lord_Howe', 30 * 1440 + 30],
  ['2026-10', 'Australia/Lord_Howe', 31 * 1440 - 30],
  ['2026-02', 'Asia/Kathmandu', 28 * 1440],
])('%s in %s has as many minutes as its clock shows', (month, timeZone, minutes) => {
  expect(monthOf(month, { timeZone }).total).toMatchObject({ time: minutes, unknown: minutes, given: 0 })
})

test('a device that comes or goes within the month counts from its first to its last day', () => {
  const { devices, total, days } = monthOf('2026-11', { firstDay: '2026-11-10', lastDay: '2026-11-12' })
  expect(devices[0]).toMatchObject({ from: '2026-11-10', to: '2026-11-12' })
  expect(total.time).toBe(3 * 1440)
  expect(days.map(({ date }) => date)).toEqual(['2026-11-10', '2026-11-11', '2026-11-12'])
  expect(monthOf('2026-10', { firstDay: '2026-11-10' }).devices).toEqual([])
})

test('a display that is added in the middle of a day counts from that minute', () => {
  const begun = { firstDay: '2026-11-10', beginsMs: Date.parse('2026-11-10T20:00:00Z') }
  expect(monthOf('2026-11', { ...begun, timeZone: 'UTC' }).total.time).toBe(20 * 1440 + 240)
})

test('the running month counts past days, and today up to its last count (rules/statements 2)', () => {
  const now = Date.parse('2026-11-10T13:00:00Z')
  const counted = [day('2026-11-10', { lit: 700, countedToMs: Date.parse('2026-11-10T12:00:00Z') })]
  const { total } = stateMonth('2026-11', [{ device: device({ timeZone: 'UTC' }), counted }], null, now)
  expect(total).toMatchObject({ time: 9 * 1440 + 720, given: 700 })
  expect(isMonthOver('2026-11', ['UTC'], now)).toBe(false)
  const end = Date.parse('2026-12-01T00:00:00Z')
  expect(isMonthOver('2026-11', ['UTC', 'Asia/Tokyo'], end)).toBe(true)
  expect(isMonthOver('2026-11', ['UTC', 'America/New_York'], end)).toBe(false)
})

test('devices with the most missing light come first, and each names its worst day', () => {
  const dark = (date: string, unplanned: number) => day(date, { unplanned, lit: 1440 - unplanned })
  const { devices, days, total } = stateMonth(
    '2026-11',
    [
      { device: device({ id: 1 as DeviceId }), counted: [dark('2026-11-03', 10)] },
      { device: device({ id: 2 as DeviceId }), counted: [dark('2026-11-03', 20), dark('2026-11-09', 40)] },
    ],
    TERMS,
    LATER,
  )
  expect(devices.map(({ id, worstDay }) => [id, worstDay])).toEqual([
    [2, '2026-11-09'],
    [1, '2026-11-03'],
  ])
  expect(days.find(({ date }) => date === '2026-11-03')?.figures.unplanned).toBe(30)
  expect(total.unplanned).toBe(70)
})

test('the credit is a cut share of the fee, of the lowest step that is undercut, and none where nothing is known (rules/statements 8)', () => {
  const credit = (lit: number, unplanned: number) =>
    creditMinorOf(TERMS, monthOf('2026-11', {}, [day('2026-11-01', { lit, unplanned })]).total)
  expect(credit(999, 1)).toBe(0)
  expect(credit(990, 10)).toBe(0)
  expect(credit(989, 11)).toBe(999)
  expect(credit(900, 100)).toBe(4_999)
  expect(credit(0, 0)).toBe(0)
  expect(creditMinorOf({ ...TERMS, currency: null }, monthOf('2026-11', {}).total)).toBe(0)
  expect([moneyText(4_999, 'EUR'), moneyText(5, 'EUR'), moneyText(4_999, 'JPY'), moneyText(1, 'KWD')]).toEqual([
    ...['49.99 EUR', '0.05 EUR', '4999 JPY', '0.001 KWD'],
  ])
})

test('terms that contradict themselves are named', () => {
  const steps = (...creditHundredths: number[]) =>
    creditHundredths.map((credit, index) => ({ belowHundredths: 9000 + index, creditHundredths: credit }))
  expect(termsProblem(TERMS)).toBeUndefined()
  expect(termsProblem({ ...TERMS, currency: null })).toContain('currency')
  expect(termsProblem({ ...TERMS, steps: steps(10, 20) })).toContain('smaller credit')
  expect(termsProblem({ ...TERMS, steps: [...steps(10), ...steps(10)] })).toContain('same availability')
})

test('a correction names each figure that is another one, of the total and of its devices', () => {
  const [before, after] = [30, 20].map((unplanned) => {
    const stated = monthOf('2026-11', {}, [day('2026-11-01', { unplanned, lit: 1000 })])
    return { ...stated, credit: unplanned === 30 ? { minor: 999, currency: 'EUR' } : null }
  }) as [never, never]
  const changes = statementChanges(before, after)
  expect(changes).toContainEqual({ device: null, figure: 'Unplanned dark', before: '0:30', after: '0:20' })
  expect(changes).toContainEqual({ device: 'Totem', figure: 'Unknown', before: '702:50', after: '703:00' })
  expect(changes).toContainEqual({ device: null, figure: 'Credit', before: '9.99 EUR', after: '–' })
  expect(statementChanges(before, before)).toEqual([])
})

test('months follow each other across years', () => {
  expect([monthAfter('2026-01', -1), monthAfter('2026-12', 1), monthAfter('2026-03', -11)]).toEqual([
    ...['2025-12', '2027-01', '2025-04'],
  ])
  expect(lastOf('2028-02')).toBe('2028-02-29')
})
