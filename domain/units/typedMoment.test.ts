import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOT_UNDERSTOOD, readTypedMoment } from './typedMoment.ts'
import { wallClock } from './wallClock.ts'

const ZONE = 'Europe/Oslo'
/** It is a Monday, 14:35:12 in Oslo. */
const NOW = new Date('2026-11-23T13:35:12.345Z')
const read = (text: string, isPast = false, now = NOW) => {
  const moment = readTypedMoment(text, { now, timeZone: ZONE, isPast })
  return 'at' in moment ? moment.at.toISOString() : moment.wrong
}

test.each([
  ['17.11. 14:00', '2026-11-17T13:00:00.000Z'],
  ['17.11 14:00', '2026-11-17T13:00:00.000Z'],
  ['17.11.26', '2026-11-16T23:00:00.000Z'],
  ['17.11.2026 9:05:30', '2026-11-17T08:05:30.000Z'],
  ['14:00 17.11.26', '2026-11-17T13:00:00.000Z'],
  ['17 Nov 2:30 pm', '2026-11-17T13:30:00.000Z'],
  ['17 November 2025, 12 am', '2025-11-16T23:00:00.000Z'],
  ['14:00', '2026-11-23T13:00:00.000Z'],
  ['today', '2026-11-22T23:00:00.000Z'],
  ['yesterday 9:00', '2026-11-22T08:00:00.000Z'],
  ['Tomorrow at 9:00', '2026-11-24T08:00:00.000Z'],
  ['last Tuesday 14:00', '2026-11-17T13:00:00.000Z'],
  ['last monday', '2026-11-15T23:00:00.000Z'],
  ['monday', '2026-11-22T23:00:00.000Z'],
  ['next mon 8:00', '2026-11-30T07:00:00.000Z'],
  ['3 h ago', '2026-11-23T10:35:12.345Z'],
  ['-90min', '2026-11-23T12:05:12.345Z'],
  ['an hour ago', '2026-11-23T12:35:12.345Z'],
  ['1.5 h ago', '2026-11-23T12:05:12.345Z'],
  ['in 2 weeks', '2026-12-07T13:35:12.345Z'],
  ['now', '2026-11-23T13:35:12.345Z'],
  ['2026-11-17', '2026-11-16T23:00:00.000Z'],
  ['2026-11-17 14:00', '2026-11-17T13:00:00.000Z'],
  ['2026-11-17T14:00:00Z', '2026-11-17T14:00:00.000Z'],
  ['2026-11-17T14:00:00.5+05:30', '2026-11-17T08:30:00.500Z'],
  ['  17.11.   14:00 ', '2026-11-17T13:00:00.000Z'],
])('%j is %s', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test('what leaves the day or the year open is the latest that has been, where the past is asked for', () => {
  expect(read('18:00', true)).toBe('2026-11-22T17:00:00.000Z')
  expect(read('monday 18:00', true)).toBe('2026-11-16T17:00:00.000Z')
  expect(read('24.12. 18:00', true)).toBe('2025-12-24T17:00:00.000Z')
  expect(read('23.11. 18:00', true)).toBe('2025-11-23T17:00:00.000Z')
  expect(read('29.2.', true)).toBe('2024-02-28T23:00:00.000Z')
  expect(read('24.12. 18:00')).toBe('2026-12-24T17:00:00.000Z')
  expect(read('2.1.')).toBe('2027-01-01T23:00:00.000Z')
})

test.each([
  ['31.2.', 'No calendar has the day 31.2..'],
  ['29.2.2026', 'No calendar has the day 29.2.2026.'],
  ['2026-13-01', 'No calendar has the day 2026-13-01.'],
  ['17.11. 25:00', 'No clock shows 25:00.'],
  ['17.11. 13 pm', 'No clock shows 13 pm.'],
  ['2026-11-17T24:30', 'No clock shows 24:30.'],
  ['', NOT_UNDERSTOOD],
  ['3 h', NOT_UNDERSTOOD],
  ['in 3 h ago', NOT_UNDERSTOOD],
  ['17', NOT_UNDERSTOOD],
  ['someday', NOT_UNDERSTOOD],
  ['last', NOT_UNDERSTOOD],
  ['9'.repeat(500), NOT_UNDERSTOOD],
  ['999999 weeks ago', 'Only moments from 2000 to 2099.'],
  ['1.1.1999', 'Only moments from 2000 to 2099.'],
])('%j is refused: %s', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test('a time that clocks skip is their change, the first of two counts, and days keep the time of the wall', () => {
  expect(read('29.3.2026 2:30')).toBe('2026-03-29T01:00:00.000Z')
  expect(read('25.10.2026 2:30')).toBe('2026-10-25T00:30:00.000Z')
  const afterChange = new Date('2026-10-26T11:00:00Z')
  expect(read('2 days ago', false, afterChange)).toBe('2026-10-24T10:00:00.000Z')
  expect(read('48 h ago', false, afterChange)).toBe('2026-10-24T11:00:00.000Z')
})

const ZONES = fc.constantFrom('Europe/Oslo', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC')
const MINUTES_OF_98_YEARS = 98 * 365 * 24 * 60

test('every minute that is written as the console writes it is read again, in every zone', () => {
  fc.assert(
    fc.property(ZONES, fc.integer({ min: 0, max: MINUTES_OF_98_YEARS }), (timeZone, minutes) => {
      const at = new Date(Date.UTC(2001) + minutes * 60_000)
      const { date, time } = wallClock(at, timeZone)
      const [year = '', month, day] = date.split('-')
      for (const dayText of [`${day}.${month}.${year}`, `${day}.${month}.${year.slice(2)}`, date]) {
        const moment = readTypedMoment(`${dayText} ${time}`, { now: NOW, timeZone })
        if (!('at' in moment)) throw new Error(`${dayText} ${time}: ${moment.wrong}`)
        // Two moments are written alike in the night when clocks are put back, and the first counts.
        expect(wallClock(moment.at, timeZone)).toEqual({ date, time })
        expect(moment.at <= at).toBe(true)
      }
    }),
  )
})

const PARTS = [
  '17',
  '.',
  '11',
  ':',
  '14',
  '-',
  ' ',
  'last',
  'tuesday',
  'ago',
  'h',
  'pm',
  'Z',
  '+',
  '99',
  'in',
  '€',
  '0',
]

test('whatever is typed, it is a moment or a sentence', () => {
  const typed = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...PARTS), { maxLength: 9 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(typed, fc.boolean(), ZONES, (text, isPast, timeZone) => {
      const moment = readTypedMoment(text, { now: NOW, timeZone, isPast })
      expect('at' in moment ? Number.isFinite(moment.at.getTime()) : moment.wrong.length > 0).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
