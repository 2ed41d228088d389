import { expect, test } from 'vitest'
import { addDays } from '#domain/units/wallClock.ts'
import { groupOfDay, type OffTimes, offSpanAt, offSpansOfDay, offTimesError } from './offTimes.ts'

const NEVER: OffTimes = {
  wdTimeOffFrom: null,
  wdTimeOffTo: null,
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}
const WORKNIGHTS: OffTimes = { ...NEVER, wdTimeOffFrom: '22:30', wdTimeOffTo: '05:00' }
const isOffTime = (...asked: Parameters<typeof offSpanAt>) => offSpanAt(...asked) !== undefined
const NO_HOLIDAYS: ReadonlySet<string> = new Set()
const weekStrip = (times: OffTimes, holidays: ReadonlySet<string>, start: string, timeZone: string) =>
  Array.from({ length: 7 }, (_, index) => offSpansOfDay(times, holidays, addDays(start, index), timeZone))
const isOff = (times: OffTimes, local: string, timeZone = 'UTC', holidays = NO_HOLIDAYS) =>
  isOffTime(times, holidays, new Date(`${local}Z`), timeZone)

test('without times a display is never dark', () => {
  expect(isOff(NEVER, '2026-11-20T03:00')).toBe(false)
})

test('a span across midnight belongs to the day it starts on', () => {
  expect(isOff(WORKNIGHTS, '2026-11-20T22:29')).toBe(false)
  expect(isOff(WORKNIGHTS, '2026-11-20T22:30')).toBe(true)
  // Saturday morning still belongs to Friday; Monday morning belongs to Sunday, which has no times.
  expect(isOff(WORKNIGHTS, '2026-11-21T04:59')).toBe(true)
  expect(isOff(WORKNIGHTS, '2026-11-21T05:00')).toBe(false)
  expect(isOff(WORKNIGHTS, '2026-11-21T23:00')).toBe(false)
  expect(isOff(WORKNIGHTS, '2026-11-23T03:00')).toBe(false)
})

test('times are those on the wall beside the display, summer time included', () => {
  expect(isOff(WORKNIGHTS, '2026-07-10T20:30', 'Europe/Berlin')).toBe(true)
  expect(isOff(WORKNIGHTS, '2026-11-20T20:30', 'Europe/Berlin')).toBe(false)
})

test('a start without an end is refused by name', () => {
  expect(offTimesError({ ...NEVER, wkndTimeOffFrom: '10:00' })).toBe(
    'Turn-off times for weekends need both a start and an end.',
  )
  expect(offTimesError(WORKNIGHTS)).toBeUndefined()
})

const GROUPS: OffTimes = {
  wdTimeOffFrom: '22:00',
  wdTimeOffTo: '05:00',
  wkndTimeOffFrom: '23:00',
  wkndTimeOffTo: '07:00',
  holTimeOffFrom: '20:00',
  holTimeOffTo: '21:00',
}
// These are a Friday and a Saturday.
const HOLIDAYS = new Set(['2026-12-25', '2026-12-26'])

test('a holiday goes over the weekend, and both over the workday', () => {
  const off = (local: string) => isOff(GROUPS, local, 'UTC', HOLIDAYS)
  expect(['2026-12-25T20:30', '2026-12-26T20:30'].map(off)).toEqual([true, true])
  expect(['2026-12-25T22:30', '2026-12-26T23:30', '2026-12-27T03:00'].map(off)).toEqual([false, false, false])
  // Thursday's period continues into the holiday; Sunday is a normal weekend day.
  expect(['2026-12-25T04:59', '2026-12-27T23:30', '2026-12-27T20:30'].map(off)).toEqual([true, true, false])
  expect(groupOfDay('2026-12-26', HOLIDAYS)).toBe('holiday')
  expect(groupOfDay('2026-12-27', HOLIDAYS)).toBe('weekend')
  expect(groupOfDay('2026-12-24', HOLIDAYS)).toBe('workday')
})

test('on a holiday whose group has no times displays are never off', () => {
  const times = { ...GROUPS, holTimeOffFrom: null, holTimeOffTo: null }
  expect(isOff(times, '2026-12-25T23:00', 'UTC', HOLIDAYS)).toBe(false)
  expect(isOff(times, '2026-12-24T23:00', 'UTC', HOLIDAYS)).toBe(true)
})

test('a start that equals its end is the whole 24 hours from then on', () => {
  const times = { ...NEVER, holTimeOffFrom: '06:00', holTimeOffTo: '06:00' }
  const off = (local: string) => isOff(times, local, 'UTC', HOLIDAYS)
  expect(['2026-12-25T05:59', '2026-12-25T06:00', '2026-12-26T05:59'].map(off)).toEqual([false, true, true])
  expect(['2026-12-27T05:59', '2026-12-27T06:00'].map(off)).toEqual([true, false])
})

test('a night in which clocks change is an hour shorter or longer, and never torn in two', () => {
  const nights = { ...NEVER, wkndTimeOffFrom: '22:00', wkndTimeOffTo: '02:30' }
  const nightOf = (at: string) => {
    const span = offSpanAt(nights, NO_HOLIDAYS, new Date(at), 'Europe/Berlin')
    return span && [span.from.toISOString(), span.to.toISOString(), span.group, span.date]
  }
  expect(nightOf('2026-03-28T23:00Z')).toEqual([
    '2026-03-28T21:00:00.000Z',
    '2026-03-29T01:00:00.000Z',
    'weekend',
    '2026-03-28',
  ])
  expect(nightOf('2026-10-24T23:00Z')?.slice(0, 2)).toEqual(['2026-10-24T20:00:00.000Z', '2026-10-25T00:30:00.000Z'])
  // The second 02:15 of that night comes after the end.
  expect(nightOf('2026-10-25T01:15Z')).toBeUndefined()
  // A period entirely within the skipped hour does not exist.
  const skipped = { ...NEVER, wkndTimeOffFrom: '02:10', wkndTimeOffTo: '02:40' }
  expect(weekStrip(skipped, NO_HOLIDAYS, '2026-03-23', 'Europe/Berlin')[6]?.spans).toEqual([])
})

test('the strip of a week has seven local days, cut at midnight, with 23 or 25 hours when clocks change', () => {
  const strip = weekStrip(WORKNIGHTS, NO_HOLIDAYS, '2026-10-19', 'Europe/Berlin')
  expect(strip.map(({ date, group, spans }) => [date, group, spans.length])).toEqual([
    // Sunday night has no times.
    ['2026-10-19', 'workday', 1],
    ['2026-10-20', 'workday', 2],
    ['2026-10-21', 'workday', 2],
    ['2026-10-22', 'workday', 2],
    ['2026-10-23', 'workday', 2],
    ['2026-10-24', 'weekend', 1],
    ['2026-10-25', 'weekend', 0],
  ])
  expect(strip.map(({ from, to }) => (to.getTime() - from.getTime()) / 3_600_000)).toEqual([24, 24, 24, 24, 24, 24, 25])
  expect(strip[5]?.spans[0]).toMatchObject({ date: '2026-10-23', group: 'workday', from: strip[5]?.from })
})

/** Walks a year minute by minute with its own wall clock, and knows nothing but local time. */
function* walkYear(times: OffTimes, holidays: ReadonlySet<string>, year: number, timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  // `ends` holds the ends of the periods that have begun, as `YYYY-MM-DD HH:mm`. A period is over once local time has
  // reached its end.
  let ends: string[] = []
  const begun = new Set<string>()
  let quarter = ''
  for (let atMs = Date.UTC(year, 0, 1) - 2 * 86_400_000; atMs < Date.UTC(year + 1, 0, 1); atMs += 60_000) {
    // Clocks change on quarters of an hour, so local time advances evenly between two of them.
    const minute = (atMs / 60_000) % 15
    if (minute === 0) quarter = format.format(atMs)
    const wall = quarter.slice(0, -2) + String(Number(quarter.slice(-2)) + minute).padStart(2, '0')
    const date = wall.slice(0, 10)
    ends = ends.filter((end) => wall < end)
    if (!begun.has(date)) {
      const day = new Date(`${date}T12:00Z`).getUTCDay()
      const group = holidays.has(date) ? 'hol' : day === 0 || day === 6 ? 'wknd' : 'wd'
      const [from, to] = [times[`${group}TimeOffFrom`], times[`${group}TimeOffTo`]]
      if (from !== null && to !== null && wall >= `${date} ${from}`) {
        begun.add(date)
        const next = new Date(Date.parse(`${date}T00:00Z`) + 86_400_000).toISOString().slice(0, 10)
        const end = `${to > from ? date : next} ${to}`
        if (wall < end) ends.push(end)
      }
    }
    if (atMs >= Date.UTC(year, 0, 1)) yield { atMs, isOff: ends.length > 0 }
  }
}

const YEAR_HOLIDAYS = new Set(['2026-01-01', '2026-03-29', '2026-04-05', '2026-10-26', '2026-12-25', '2026-12-26'])

/** Tells whether the strips of a year's weeks are dark, for minutes in rising order. */
function stripsOfYear(times: OffTimes, timeZone: string) {
  const spans: { from: number; to: number }[] = []
  for (let start = '2025-12-29'; start < '2027-01-08'; start = addDays(start, 7)) {
    for (const day of weekStrip(times, YEAR_HOLIDAYS, start, timeZone)) {
      for (const { from, to } of day.spans) spans.push({ from: from.getTime(), to: to.getTime() })
    }
  }
  let next = 0
  return (atMs: number) => {
    while ((spans[next]?.to ?? Number.POSITIVE_INFINITY) <= atMs) next++
    // A period of yesterday and one of today may overlap.
    return [spans[next], spans[next + 1]].some((span) => span && atMs >= span.from && atMs < span.to)
  }
}

test.each([
  ['Europe/Berlin', '22:30', '05:00', '02:15', '02:45', '00:00', '00:00'],
  ['America/New_York', '01:30', '02:30', '23:00', '02:30', '12:00', '01:15'],
  ['Australia/Lord_Howe', '21:00', '01:45', '02:10', '02:10', '08:00', '20:00'],
  ['Africa/Cairo', '23:30', '00:30', '00:00', '06:00', '00:15', '23:45'],
  ['Asia/Kathmandu', '18:00', '17:59', '05:45', '06:00', '20:00', '04:00'],
] as const)(
  '%s, minute by minute for a year: rule, strip and a naive walk say the same',
  { timeout: 60_000 },
  (timeZone, wdTimeOffFrom, wdTimeOffTo, wkndTimeOffFrom, wkndTimeOffTo, holTimeOffFrom, holTimeOffTo) => {
    const times = { wdTimeOffFrom, wdTimeOffTo, wkndTimeOffFrom, wkndTimeOffTo, holTimeOffFrom, holTimeOffTo }
    const isDarkInStrip = stripsOfYear(times, timeZone)
    const wrong: string[] = []
    let count = 0
    let askAlways = 0
    let before: boolean | undefined
    for (const { atMs, isOff: isDark } of walkYear(times, YEAR_HOLIDAYS, 2026, timeZone)) {
      count++
      const at = new Date(atMs)
      if (isDarkInStrip(atMs) !== isDark) wrong.push(`strip ${at.toISOString()}`)
      // The rule is slow, so the test asks it for every minute around a change, else for every seventh.
      if (isDark !== before) askAlways = 5
      before = isDark
      if (askAlways-- <= 0 && count % 7 !== 0) continue
      if (isOffTime(times, YEAR_HOLIDAYS, at, timeZone) !== isDark) wrong.push(`rule ${at.toISOString()}`)
    }
    expect(wrong).toEqual([])
    expect(count).toBe(365 * 1440)
  },
)
