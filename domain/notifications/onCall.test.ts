import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UserId } from '../ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units/time.ts'
import { wallClock } from '../units/wallClock.ts'
import { onCallAt, type Rota } from './onCall.ts'

const [ADA, BOB, CYD] = [1, 2, 3] as UserId[] as [UserId, UserId, UserId]
const rotaOf = (changes: Partial<Rota> = {}): Rota => ({
  timeZone: 'Europe/Prague',
  firstDay: '2026-03-01',
  handOver: '02:30',
  everyDays: 1,
  memberIds: [ADA, BOB, CYD],
  overrides: [],
  ...changes,
})
const at = (iso: string) => Date.parse(iso)
const who = (rota: Rota, iso: string) => onCallAt(rota, at(iso))?.userId

test('a hand-over in the hour that clocks skip is at the moment of the change', () => {
  // 29 March 2026: 01:59 is followed by 03:00, at 01:00 UTC.
  const rota = rotaOf()
  expect(who(rota, '2026-03-29T00:59:59Z')).toBe(ADA)
  expect(who(rota, '2026-03-29T01:00:00Z')).toBe(BOB)
  expect(onCallAt(rota, at('2026-03-29T00:30Z'))?.untilMs).toBe(at('2026-03-29T01:00Z'))
})

test('a hand-over in the hour that clocks show twice is at the first of them, and is not taken back', () => {
  // 25 October 2026: 02:30 is at 00:30 and at 01:30 UTC.
  const rota = rotaOf()
  const before = who(rota, '2026-10-25T00:29:59Z')
  const after = who(rota, '2026-10-25T00:30:00Z')
  expect(before).not.toBe(after)
  for (const iso of ['2026-10-25T00:59Z', '2026-10-25T01:00Z', '2026-10-25T01:29Z', '2026-10-25T01:30Z'])
    expect(who(rota, iso)).toBe(after)
  expect(onCallAt(rota, at('2026-10-25T00:30Z'))?.untilMs).toBe(at('2026-10-26T01:30Z'))
})

test('an override takes the place of whose turn it is, the later one of another, and ends when it ends', () => {
  const overrides = [
    { userId: CYD, fromMs: at('2026-05-01T10:00Z'), toMs: at('2026-05-01T20:00Z') },
    { userId: BOB, fromMs: at('2026-05-01T12:00Z'), toMs: at('2026-05-01T13:00Z') },
  ]
  const rota = rotaOf({ overrides, memberIds: [ADA] })
  expect(['09:59', '10:00', '12:30', '13:00', '20:00'].map((time) => who(rota, `2026-05-01T${time}Z`))).toEqual([
    ADA,
    CYD,
    BOB,
    CYD,
    ADA,
  ])
  expect(onCallAt(rota, at('2026-05-01T10:00Z'))?.untilMs).toBe(at('2026-05-01T12:00Z'))
  expect(onCallAt(rotaOf({ memberIds: [] }), 0)).toBeUndefined()
})

test('an override goes on over the hand-overs of those whose place it takes', () => {
  const [fromMs, toMs] = [at('2026-05-01T10:00Z'), at('2026-05-04T10:00Z')]
  const rota = rotaOf({ overrides: [{ userId: CYD, fromMs, toMs }] })
  expect(onCallAt(rota, at('2026-05-01T12:00Z'))).toEqual({ userId: CYD, untilMs: toMs })
})

// Half an hour of summer time, none, far ahead, far behind, and changes at midnight.
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
    const rota = rotaOf({ timeZone, handOver, everyDays: 1, firstDay: '2026-01-01' })
    let now = onCallAt(rota, at('2026-01-01T12:00Z'))
    let turns = 0
    for (let ms = at('2026-01-01T12:00Z'); ms < at('2027-01-01T12:00Z'); ms += MINUTE_MS) {
      if (now === undefined) expect.fail('nobody is on call')
      if (ms < now.untilMs) continue
      const next = onCallAt(rota, ms)
      // Exactly then, not a minute later, and the next in order.
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
      const rota = rotaOf(changes)
      const now = onCallAt(rota, atMs)
      if (now === undefined) expect.fail('nobody is on call')
      expect(now.untilMs).toBeGreaterThan(atMs)
      expect(now.untilMs - atMs).toBeLessThanOrEqual(changes.everyDays * DAY_MS + HOUR_MS)
      const within = atMs + Math.floor((now.untilMs - 1 - atMs) * share)
      expect(onCallAt(rota, within)).toEqual(now)
      const { time } = wallClock(new Date(now.untilMs), changes.timeZone)
      // On the wall it is that time, or the first after a skipped hour.
      expect(time >= changes.handOver).toBe(true)
      expect(onCallAt(rota, now.untilMs)?.userId).toBe((now.userId % 3) + 1)
    }),
  )
})
