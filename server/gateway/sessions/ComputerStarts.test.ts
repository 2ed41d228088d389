import { expect, test } from 'vitest'
import { CLIENT_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { checkReports } from '#server/telemetry/ingress/reportCheck.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { ComputerStarts } from './ComputerStarts.ts'

const NOW = Date.UTC(2026, 10, 20, 10)
const LAYOUT = layoutByTypeId(CLIENT_EVENT_TYPE_ID) as EventLayout

interface Sent {
  readonly nowMs: number
  readonly atMs: number
  readonly uptime: number
}

/** Finds the reports, sent one in a packet, that go back to an earlier start. */
function backsOf(sent: readonly Sent[]): readonly Sent[] {
  const starts = new ComputerStarts()
  return sent.filter(({ nowMs, atMs, uptime }) => {
    const door = { deviceId: 1 as DeviceId, topic: 'events/device', nowMs, oldestMs: nowMs - 90 * DAY_MS }
    const text = JSON.stringify({ at: new Date(atMs).toISOString(), values: { uptime: Math.trunc(uptime) } })
    return starts.goesBack(checkReports(door, LAYOUT, 1, Buffer.from(text)).reports, nowMs)
  })
}

/** Makes one report a minute, changed from what a right clock and a right uptime would say. */
const everyMinute = (count: number, of: (minute: number, nowMs: number) => Partial<Sent>) =>
  Array.from({ length: count }, (_, minute): Sent => {
    const nowMs = NOW + minute * MINUTE_MS
    return { nowMs, atMs: nowMs, uptime: 50_000 + minute * 60, ...of(minute, nowMs) }
  })

test('two computers by turns go back with each report of the one that was started first', () => {
  const turns = everyMinute(20, (minute) => ({ uptime: (minute % 2 === 0 ? 50_000 : 3_000) + minute * 60 }))
  expect(backsOf(turns)).toHaveLength(9)
})

test('three of them do, too', () => {
  const turns = everyMinute(21, (minute) => ({ uptime: (minute % 3) * 3_000 + 50_000 + minute * 60 }))
  expect(backsOf(turns)).toHaveLength(12)
})

test.each([
  ['is started anew every six minutes', (minute: number) => ({ uptime: (minute % 6) * 60 + 5 })],
  ['rounds its uptime to hours', (minute: number) => ({ uptime: Math.floor((50_000 + minute * 60) / 3600) * 3600 })],
  ['rounds its uptime to ten minutes', (minute: number) => ({ uptime: Math.floor(minute / 10) * 600 })],
  ['reads its uptime every ten minutes', (minute: number) => ({ uptime: 50_000 + Math.floor(minute / 10) * 600 })],
  ['says milliseconds', (minute: number) => ({ uptime: 50_000_000 + minute * 60_000 })],
  ['says minutes', (minute: number) => ({ uptime: 50_000 + minute })],
  ['has a clock that is hours off', (_: number, nowMs: number) => ({ atMs: nowMs + 3 * HOUR_MS })],
  ['has a clock that is set each minute', (minute: number, nowMs: number) => ({ atMs: nowMs + (minute % 2) * 55_000 })],
  [
    'has a clock that jumps by an hour, and back',
    (minute: number, nowMs: number) => ({ atMs: nowMs - (minute % 2) * HOUR_MS }),
  ],
  [
    'sends what it kept before its restart beside the present',
    (minute: number, nowMs: number) =>
      minute % 2 === 0 ? { uptime: 600 + minute * 60 } : { atMs: nowMs - HOUR_MS, uptime: 50_000 + minute * 60 },
  ],
])('one computer that %s never goes back', (_what, of) => {
  expect(backsOf(everyMinute(600, of))).toEqual([])
})

test('one computer on a bad network, with restarts and reports that come late, twice and out of order, seldom goes back', () => {
  const chance = seededRandom()
  for (let round = 0; round < 20; round += 1) {
    const sent: Sent[] = []
    let startMs = NOW - 5 * HOUR_MS
    for (let atMs = NOW; atMs < NOW + 8 * HOUR_MS; atMs += (5 + 85 * chance()) * SECOND_MS) {
      if (chance() < 0.1) startMs = atMs
      const report = { atMs, uptime: (atMs - startMs) / SECOND_MS }
      for (let times = chance() < 0.1 ? 2 : 1; times > 0; times -= 1) {
        sent.push({ ...report, nowMs: atMs + (chance() < 0.3 ? 2 * HOUR_MS * chance() : 40_000 * chance()) })
      }
    }
    const moments = backsOf(sent.toSorted((one, other) => one.nowMs - other.nowMs)).map(({ nowMs }) => nowMs)
    // A report from before the restart may arrive after a later one, once.
    const fifths = moments.map((nowMs, index) => nowMs - (moments[index - 4] ?? 0))
    expect(Math.min(...fifths)).toBeGreaterThan(10 * MINUTE_MS)
  }
})
