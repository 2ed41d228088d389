import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UserId } from '../ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units/time.ts'
import { wallClock } from '../units/wallClock.ts'
import { onCallAt, type Schedule } from './onCall.ts'

const [ADA, BOB, CYD] = [1, 2, 3] as UserId[] as [UserId, UserId, UserId]
const scheduleOf = (changes: Partial<Schedule> = {}): Schedule => ({
  timeZone: 'Europe/Prague',
  firstDay: '2026-03-01',
  handOver: '02:30',
  everyDays: 1,
  memberIds: [ADA, BOB, CYD],
  overrides: [],
  ...changes,
})
const at = (iso: string) => Date.parse(iso)
const who = (schedule: Schedule, iso: string) => onCallAt(schedule, at(iso))?.userId

test('a hand-over in the hour that clocks skip is at the moment of the change', () => {
  // The minute 01:59 is followed by 03:00 on 29 March 2026, at 01:00 UTC.
  const schedule = scheduleOf()
  expect(who(schedule, '2026-03-29T00:59:59Z')).toBe(ADA)
  expect(who(schedule, '2026-03-29T01:00:00Z')).toBe(BOB)
  expect(onCallAt(schedule, at('2026-03-29T00:30Z'))?.untilMs).toBe(at('2026-03-29T01:00Z'))
})

test('a hand-over in the hour that clocks show twice is at the first of them, and is not taken back', () => {
  // The time 02:30 is at 00:30 and at 01:30 UTC on 25 October 2026.
  const schedule = scheduleOf()
  const before = who(schedule, '2026-10-25T00:29:59Z')
  const after = who(schedule, '2026-10-25T00:30:00Z')
  expect(before).not.toBe(after)
  for (const iso of ['2026-10-25T00:59Z', '2026-10-25T01:00Z', '2026-10-25T01:29Z', '2026-10-25T01:30Z'])
    expect(who(schedule, iso)).toBe(after)
  expect(onCallAt(schedule, at('2026-10-25T00:30Z'))?.untilMs).toBe(at('2026-10-26T01:30Z'))
})

test('an override takes the place of whose turn it is, the later one of another, and ends when it ends', () => {
  const overrides = [
    { userId: CYD, fromMs: at('2026-05-01T10:00Z'), toMs: at('2026-05-01T20:00Z') },
    { userId: BOB, fromMs: at('2026-05-01T12:00Z'), toMs: at('2026-05-01T13:00Z') },
  ]
  const schedule = scheduleOf({ overrides, memberIds: [ADA] })
  expect(['09:59', '10:00', '12:30', '13:00', '20:00'].map((time) => who(schedule, `2026-05-01T${time}Z`))).toEqual([
    ADA,
    CYD,
    BOB,
    CYD,
    ADA,
  ])
  expect(onCallAt(schedule, at('2026-05-01T10:00Z'))?.untilMs).toBe(at('2026-05-01T12:00Z'))
  expect(onCallAt(scheduleOf({ memberIds: [] }), 0)).toBeUndefined()
})

test('an override goes on over the hand-overs of those whose place it takes', () => {
  const [fromMs, toMs] = [at('2026-05-01T10:00Z'), at('2026-05-04T10:00Z')]
  const schedule = scheduleOf({ overrides: [{ userId: CYD, fromMs, toMs }] })
  expect(onCallAt(schedule, at('2026-05-01T12:00Z'))).toEqual({ userId: CYD, untilMs: toMs })
})

// The zones have half an hour of summer time, none, are far ahead or behind, or change at midnight.
const ZONES = [
  'Europe/Prague',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Africa/Cairo',
]

test.each(ZONES)('each minute of a year somebody is on call in %s, and turns go on in their order', (timeZone) => {
  const handOvers = ['00:00', '02:30', '23:45']
  for (const handOver of handOvers) {
    const schedule = scheduleOf({ timeZone, handOver, everyDays: 1, firstDay: '2026-01-01' })
    let now = onCallAt(schedule, at('2026-01-01T12:00Z'))
    let turns = 0
    for (let ms = at('2026-01-01T12:00Z'); ms < at('2027-01-01T12:00Z'); ms += MINUTE_MS) {
      if (now === undefined) expect.fail('nobody is on call')
      if (ms < now.untilMs) continue
      const next = onCallAt(schedule, ms)
      // The hand-over comes exactly then, not a minute later, to the next in order.
      if (ms !== now.untilMs || next?.userId !== (now.userId % 3) + 1) expect.fail(new Date(ms).toISOString())
      now = next as NonNullable<typeof next>
      turns++
    }
    expect(turns).toBe(365)
  }
})

test('whatever moment is asked for, whose turn it is holds until its end and began with a hand-over', () => {
  const rotas = fc.record({
    timeZone: fc.constantFrom(...ZONES),
    handOver: fc.constantFrom('00:00', '01:30', '02:00', '02:30', '12:00', '23:59'),
    everyDays: fc.integer({ min: 1, max: 14 }),
  })
  const moments = fc.integer({ min: at('2025-01-01'), max: at('2028-01-01') })
  fc.assert(
    fc.property(rotas, moments, fc.double({ min: 0, max: 1, noNaN: true }), (changes, atMs, share) => {
      const schedule = scheduleOf(changes)
      const now = onCallAt(schedule, atMs)
      if (now === undefined) expect.fail('nobody is on call')
      expect(now.untilMs).toBeGreaterThan(atMs)
      expect(now.untilMs - atMs).toBeLessThanOrEqual(changes.everyDays * DAY_MS + HOUR_MS)
      const within = atMs + Math.floor((now.untilMs - 1 - atMs) * share)
      expect(onCallAt(schedule, within)).toEqual(now)
      const { time } = wallClock(new Date(now.untilMs), changes.timeZone)
      // Local time is the hand-over, or the first time after a skipped hour.
      expect(time >= changes.handOver).toBe(true)
      expect(onCallAt(schedule, now.untilMs)?.userId).toBe((now.userId % 3) + 1)
    }),
  )
})
