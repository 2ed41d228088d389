import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OffTimes } from '#domain/displays/offTimes.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { addDays, momentOf, wallClock } from '#domain/units/wallClock.ts'
import { darkMinutes } from '../testing/countedMinutes.ts'
import {
  addMinutes,
  availabilityPercent,
  type LevelReading,
  LIGHT_KINDS,
  type LightKind,
  type LightMinutes,
  NO_MINUTES,
  type Span,
  sumOfMinutes,
  wholeMinutes,
} from './darkMinutes.ts'
import { type ConfirmedOffTimes, lightDay, localDates, plannedSpans, untilNow } from './lightDays.ts'

const DAY_MINUTES = 1440
const NEVER: OffTimes = {
  wdTimeOffFrom: null,
  wdTimeOffTo: null,
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}
const NIGHTS: OffTimes = {
  ...NEVER,
  wdTimeOffFrom: '22:30',
  wdTimeOffTo: '05:00',
  wkndTimeOffFrom: '23:45',
  wkndTimeOffTo: '06:15',
}
const NO_HOLIDAYS: ReadonlySet<string> = new Set()
const since = (offTimes: OffTimes | null, sinceMs = Number.NEGATIVE_INFINITY): ConfirmedOffTimes => ({
  sinceMs,
  offTimes,
})

const plans = (offTimes: readonly ConfirmedOffTimes[], timeZone: string) => ({
  offTimes,
  dayPlans: [],
  timeZone,
  position: undefined,
})

/** A Friday without a change of clocks. */
const FRIDAY = lightDay('2026-11-20', 'UTC')
const at = (minute: number, percent: number): LevelReading => ({ atMs: FRIDAY.fromMs + minute * MINUTE_MS, percent })
/** Returns one reading a minute, as an agent repeats it. */
const heartbeat = (fromMinute: number, toMinute: number, percent: number) =>
  Array.from({ length: toMinute - fromMinute }, (_, index) => at(fromMinute + index, percent))
const minutesOf = (changes: Partial<LightMinutes>): LightMinutes => ({ ...NO_MINUTES, ...changes })
const fold = (displays: readonly (readonly LevelReading[])[], offTimes: OffTimes | null = null) =>
  darkMinutes(FRIDAY, plannedSpans(FRIDAY, plans([since(offTimes)], 'UTC'), NO_HOLIDAYS), displays)

const CASES: readonly (readonly [string, readonly (readonly LevelReading[])[], OffTimes | null, LightMinutes])[] = [
  ['nothing reported: unknown, never lit', [[]], null, minutesOf({ unknown: 1440 })],
  ['lit all day', [heartbeat(0, 1440, 80)], null, minutesOf({ lit: 1440 })],
  ['dark all day', [heartbeat(0, 1440, 0)], null, minutesOf({ unplanned: 1440 })],
  ['one reading holds for two minutes', [[at(600, 80)]], null, minutesOf({ lit: 2, unknown: 1438 })],
  [
    'the next reading ends the one before',
    [[at(600, 80), at(601, 0)]],
    null,
    minutesOf({ lit: 1, unplanned: 2, unknown: 1437 }),
  ],
  ['a reading of yesterday reaches into the day', [[at(-1, 80)]], null, minutesOf({ lit: 1, unknown: 1439 })],
  ['a reading of tomorrow does not', [[at(1440, 0)]], null, minutesOf({ unknown: 1440 })],
  [
    'two minutes apart is no gap, more is one',
    [
      [
        ...Array.from({ length: 360 }, (_, n) => at(n * 2, 50)),
        ...Array.from({ length: 180 }, (_, n) => at(720 + n * 4, 50)),
      ],
    ],
    null,
    minutesOf({ lit: 1080, unknown: 360 }),
  ],
  [
    'dark within off times is planned, outside it is not',
    // It is off until 05:00 and from 22:30 on, and dark from 04:00 to 06:00.
    [[...heartbeat(0, 240, 70), ...heartbeat(240, 360, 0), ...heartbeat(360, 1440, 70)]],
    NIGHTS,
    minutesOf({ planned: 60, unplanned: 60, litInOffTime: 330, lit: 990 }),
  ],
  ['off times alone say nothing of what was', [[]], NIGHTS, minutesOf({ unknown: 1440 })],
  [
    'light in off times is not light that was owed',
    // It is off until 05:00 and from 22:30 on.
    [heartbeat(0, 1440, 70)],
    NIGHTS,
    minutesOf({ litInOffTime: 390, lit: 1050 }),
  ],
  [
    'in off times one lit display is enough: lit before unknown, unknown before dark as planned',
    [[...heartbeat(0, 60, 70), ...heartbeat(60, 300, 0)], heartbeat(0, 60, 0), heartbeat(0, 120, 0)],
    NIGHTS,
    // It is lit until 01:00; then the second display's reading is valid for a minute more.
    minutesOf({ litInOffTime: 60, planned: 1, unknown: 1378, unplanned: 1 }),
  ],
  [
    'the worst display counts: dark before all',
    [heartbeat(0, 1440, 80), heartbeat(0, 60, 0)],
    null,
    minutesOf({ unplanned: 61, unknown: 1379 }),
  ],
  ['the worst display counts: unknown before lit', [heartbeat(0, 1440, 80), []], null, minutesOf({ unknown: 1440 })],
  ['dark beside unknown is known to be dark', [heartbeat(0, 1440, 0), []], null, minutesOf({ unplanned: 1440 })],
  ['without displays nothing is known', [], null, minutesOf({ unknown: 1440 })],
]

test.each(CASES)('%s', (_title, displays, offTimes, expected) => {
  expect(fold(displays, offTimes)).toEqual(expected)
})

test('seconds count before they are rounded, so that many short gaps are not lost', () => {
  // It is dark for 25 s in every hour.
  const readings = Array.from({ length: 1440 }, (_, minute) => at(minute, 80)).flatMap((reading, minute) =>
    minute % 60 === 0
      ? [
          { ...reading, percent: 0 },
          { atMs: reading.atMs + 25_000, percent: 80 },
        ]
      : [reading],
  )
  expect(fold([readings])).toEqual(minutesOf({ unplanned: 10, lit: 1430 }))
})

test('whatever order readings come in, and however often, the minutes are the same', () => {
  const reading = fc.record({
    atMs: fc.integer({ min: FRIDAY.fromMs - 180_000, max: FRIDAY.toMs + 60_000 }),
    percent: fc.constantFrom(0, 1, 80),
  })
  const readings = fc.uniqueArray(reading, { maxLength: 200, selector: ({ atMs }) => atMs })
  fc.assert(
    fc.property(readings, fc.infiniteStream(fc.nat()), (all, random) => {
      const shuffled = all.map((one) => ({ one, key: random.next().value })).sort((a, b) => a.key - b.key)
      const inOrder = fold([all.toSorted((a, b) => a.atMs - b.atMs)], NIGHTS)
      expect(fold([shuffled.map(({ one }) => one)], NIGHTS)).toEqual(inOrder)
      expect(fold([[...all, ...all]], NIGHTS)).toEqual(inOrder)
      expect(sumOfMinutes(inOrder)).toBe(DAY_MINUTES)
    }),
  )
})

test('rounding never changes the sum, and no kind by a whole minute', () => {
  const seconds = fc.array(fc.nat(5000), { minLength: 5, maxLength: 5 }).map((all) => {
    const [unplanned = 0, unknown = 0, planned = 0, litInOffTime = 0, maintenance = 0] = all
    const rest = all.reduce((sum, one) => sum + one, 0) % 60
    return { unplanned, unknown, planned, litInOffTime, maintenance, lit: 6000 + (rest === 0 ? 0 : 60 - rest) }
  })
  fc.assert(
    fc.property(seconds, (all) => {
      const minutes = wholeMinutes(all)
      expect(sumOfMinutes(minutes) * 60).toBe(sumOfMinutes(all))
      for (const kind of LIGHT_KINDS) {
        expect(Math.abs(minutes[kind] * 60 - all[kind])).toBeLessThan(60)
      }
    }),
  )
})

test('off from 00 to 08 but lit, dark by a fault from 08 to 16: half of the owed light was there', () => {
  const hours = (from: number, to: number, percent: number) => heartbeat(60 * from, 60 * to, percent)
  const offTimes = { ...NEVER, wdTimeOffFrom: '00:00', wdTimeOffTo: '08:00' }
  const minutes = fold([[...hours(0, 8, 70), ...hours(8, 16, 0), ...hours(16, 24, 70)]], offTimes)
  expect(minutes).toEqual(minutesOf({ litInOffTime: 480, unplanned: 480, lit: 480 }))
  expect(availabilityPercent(minutes)).toBe(50)
})

/** Counts second by second, following the words of the guide. */
function naiveMinutes(time: Span, planned: readonly Span[], displays: readonly (readonly LevelReading[])[]) {
  const seconds: Record<LightKind, number> = { ...NO_MINUTES }
  const secondOf = (ms: number) => Math.floor(ms / 1000)
  for (let second = time.fromMs / 1000; second < time.toMs / 1000; second++) {
    const levels = displays.map((readings) => {
      const past = readings.filter(({ atMs }) => secondOf(atMs) <= second).sort((a, b) => a.atMs - b.atMs)
      const last = past.at(-1)
      return last && second < secondOf(last.atMs) + 120 ? last.percent : undefined
    })
    const isOff = planned.some(({ fromMs, toMs }) => secondOf(fromMs) <= second && second < secondOf(toMs))
    const isAnyDark = levels.some((percent) => percent === 0)
    const isAnyLit = levels.some((percent) => percent !== undefined && percent > 0)
    const isAnyUnknown = levels.length === 0 || levels.includes(undefined)
    if (isOff) seconds[isAnyLit ? 'litInOffTime' : isAnyUnknown ? 'unknown' : 'planned']++
    else seconds[isAnyDark ? 'unplanned' : isAnyUnknown ? 'unknown' : 'lit']++
  }
  return wholeMinutes(seconds)
}

test('whatever was planned and reported, the minutes are those of a look at every second', () => {
  const time = { fromMs: FRIDAY.fromMs, toMs: FRIDAY.fromMs + 30 * MINUTE_MS }
  const moment = fc.integer({ min: time.fromMs - 180_000, max: time.toMs + 60_000 })
  const readings = fc.uniqueArray(fc.record({ atMs: moment, percent: fc.constantFrom(0, 1, 80) }), {
    maxLength: 20,
    selector: ({ atMs }) => atMs,
  })
  const spans = fc
    .uniqueArray(moment, { maxLength: 6, selector: (atMs) => Math.floor(atMs / 1000) })
    .map((cuts) => cuts.sort((a, b) => a - b))
    .map((cuts) =>
      cuts.flatMap((fromMs, index) =>
        index % 2 === 0 && cuts[index + 1] ? [{ fromMs, toMs: cuts[index + 1] ?? 0 }] : [],
      ),
    )
  fc.assert(
    fc.property(spans, fc.array(readings, { maxLength: 3 }), (planned, displays) => {
      const minutes = darkMinutes(time, planned, displays)
      expect(minutes).toEqual(naiveMinutes(time, planned, displays))
      expect(sumOfMinutes(minutes)).toBe(30)
    }),
  )
})

test('availability is of the known minutes that owed light', () => {
  expect(availabilityPercent(minutesOf({ lit: 900, unplanned: 100, litInOffTime: 400, maintenance: 40 }))).toBe(90)
  expect(availabilityPercent(minutesOf({ lit: 900, unplanned: 100, planned: 300, unknown: 140 }))).toBe(90)
  expect(availabilityPercent(minutesOf({ planned: 1440 }))).toBeUndefined()
  expect(availabilityPercent(minutesOf({ unknown: 1440 }))).toBeUndefined()
  expect(availabilityPercent(minutesOf({ lit: 1, unknown: 1439 }))).toBe(100)
})

test('off times hold from when the device confirmed them; a night that had begun is cut', () => {
  const changedAt = momentOf('2026-11-20', '02:00', 'UTC').getTime()
  const night = plannedSpans(FRIDAY, plans([since(NIGHTS), since(NEVER, changedAt)], 'UTC'), NO_HOLIDAYS)
  expect(night).toEqual([{ fromMs: FRIDAY.fromMs, toMs: changedAt }])
  const first = plannedSpans(FRIDAY, plans([since(NIGHTS, changedAt)], 'UTC'), NO_HOLIDAYS)
  expect(first.map(({ fromMs, toMs }) => (toMs - fromMs) / MINUTE_MS)).toEqual([180, 90])
  expect(first[0]?.fromMs).toBe(changedAt)
})

test('spans of yesterday and today that overlap are one', () => {
  const times = { ...NEVER, wdTimeOffFrom: '08:00', wdTimeOffTo: '08:00' }
  expect(plannedSpans(FRIDAY, plans([since(times)], 'UTC'), NO_HOLIDAYS)).toEqual([
    { fromMs: FRIDAY.fromMs, toMs: FRIDAY.toMs },
  ])
})

test('a running day is looked at up to its last whole minute, one that lies ahead not at all', () => {
  const nowMs = FRIDAY.fromMs + 600 * MINUTE_MS + 34_567
  expect(untilNow(FRIDAY, nowMs).toMs).toBe(FRIDAY.fromMs + 600 * MINUTE_MS)
  expect(untilNow(FRIDAY, FRIDAY.fromMs - 1).toMs).toBe(FRIDAY.fromMs)
  expect(untilNow(FRIDAY, FRIDAY.toMs)).toBe(FRIDAY)
})

test('local dates are those on the wall beside the device', () => {
  const from = Date.parse('2026-11-20T22:30:00Z')
  expect(localDates(from, from, 'Europe/Berlin')).toEqual(['2026-11-20'])
  expect(localDates(from, from + 40 * MINUTE_MS, 'Europe/Berlin')).toEqual(['2026-11-20', '2026-11-21'])
})

const CHANGING_DAYS = {
  'Europe/Berlin': { '2026-03-29': 1380, '2026-10-25': 1500 },
  'America/New_York': { '2026-03-08': 1380, '2026-11-01': 1500 },
  'Australia/Lord_Howe': { '2026-04-05': 1470, '2026-10-04': 1410 },
} as const
const SCHEDULES: readonly OffTimes[] = [
  NIGHTS,
  { ...NIGHTS, wdTimeOffFrom: '02:15', wdTimeOffTo: '02:45', wkndTimeOffFrom: '01:30', wkndTimeOffTo: '03:10' },
  { ...NIGHTS, holTimeOffFrom: '12:00', holTimeOffTo: '12:00' },
  NEVER,
]

test.each(Object.entries(CHANGING_DAYS))(
  'a year of schedules in %s: the minutes of each day are its length',
  (zone, lengths) => {
    const holidays = new Set(['2026-01-01', '2026-03-29', '2026-10-25', '2026-12-25'])
    const history = SCHEDULES.map((offTimes, quarter) =>
      since(offTimes, quarter === 0 ? Number.NEGATIVE_INFINITY : Date.UTC(2026, quarter * 3, 17, 1, 23, 45)),
    )
    let total = NO_MINUTES
    for (let date = '2026-01-01'; date <= '2026-12-31'; date = addDays(date, 1)) {
      const day = lightDay(date, zone)
      const spans = plannedSpans(day, plans(history, zone), holidays)
      // It is dark whenever planned and for ten minutes more, and silent for an hour around noon.
      const readings: LevelReading[] = []
      // The displays did not get the plan for a week of each month.
      const isTold = !['21', '22', '23', '24', '25', '26', '27'].includes(date.slice(-2))
      for (let atMs = day.fromMs - 60_000 + 7000; atMs < day.toMs; atMs += MINUTE_MS) {
        const isDark = isTold && spans.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs + 10 * MINUTE_MS)
        if (wallClock(new Date(atMs), zone).time.startsWith('12:')) continue
        readings.push({ atMs, percent: isDark ? 0 : 66 })
      }
      const minutes = darkMinutes(day, spans, [readings])
      const length = (lengths as Readonly<Record<string, number>>)[date] ?? DAY_MINUTES
      expect([date, sumOfMinutes(minutes), (day.toMs - day.fromMs) / MINUTE_MS]).toEqual([date, length, length])
      total = addMinutes(total, minutes)
    }
    expect(sumOfMinutes(total)).toBe(365 * DAY_MINUTES)
    expect(total.maintenance).toBe(0)
    for (const kind of LIGHT_KINDS) if (kind !== 'maintenance') expect(total[kind]).toBeGreaterThan(500)
  },
)

test('planned spans of a year never overlap and leave no second of off time out', () => {
  const zone = 'Australia/Lord_Howe'
  let plannedMinutes = 0
  let reachedMs = Number.NEGATIVE_INFINITY
  for (let date = '2026-01-01'; date <= '2026-12-31'; date = addDays(date, 1)) {
    for (const { fromMs, toMs } of plannedSpans(lightDay(date, zone), plans([since(NIGHTS)], zone), NO_HOLIDAYS)) {
      expect(fromMs).toBeGreaterThanOrEqual(reachedMs)
      reachedMs = toMs
      plannedMinutes += (toMs - fromMs) / MINUTE_MS
    }
  }
  // Nights have 390 minutes each; the two changes of clocks, at 02:00, lengthen one and shorten one by half an hour.
  expect(plannedMinutes).toBe(365 * 390)
})
