import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { DeviceClocks } from './DeviceClocks.ts'
import type { EventLayout } from './eventLayout.ts'
import { layoutByTypeId } from './eventLayout.ts'
import { checkReports } from './reportCheck.ts'

const NOW = Date.UTC(2026, 10, 20, 10)
const layout = layoutByTypeId(3) as EventLayout

/** Makes a device, and returns what becomes of the reports that it sends at some moments. */
function device() {
  const clocks = new DeviceClocks()
  return (nowMs: number, ...clockMs: number[]) => {
    const door = { deviceId: 1 as DeviceId, topic: 'events/device', nowMs, oldestMs: nowMs - 90 * DAY_MS }
    const texts = clockMs.map((ms) => `{"at":"${new Date(ms).toISOString()}","values":{"cpu_temp":41}}`)
    const payload = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(',')}]`
    const { reports } = checkReports(door, layout, 1, Buffer.from(payload))
    clocks.judge(reports)
    return reports.map(({ atMs, claimedAtMs, isBelieved, clockErrorMs }) => ({
      atMs: atMs - nowMs,
      claimedMs: claimedAtMs === undefined ? undefined : claimedAtMs - nowMs,
      isBelieved,
      clockErrorMs,
    }))
  }
}

const every = (ms: number, times: number) => Array.from({ length: times }, (_, index) => NOW + index * ms)

test.each([-2 * HOUR_MS, HOUR_MS, 3 * MINUTE_MS, -20 * DAY_MS, 1 - NOW, 5000 * DAY_MS])(
  'a clock that stays %i ms ahead is known after three reports, and then readings are of the time when they were taken',
  (aheadMs) => {
    const send = device()
    const told = every(4_000, 6).map((ms) => send(ms, ms + aheadMs)[0])
    for (const report of told.slice(2)) {
      expect(report).toEqual({ atMs: 0, claimedMs: aheadMs, isBelieved: true, clockErrorMs: aheadMs })
    }
  },
)

test('what lies in the future or before all that is kept tells the clock at once, and counts for nothing until it is measured', () => {
  for (const aheadMs of [HOUR_MS, -NOW]) {
    expect(device()(NOW, NOW + aheadMs)).toEqual([
      { atMs: 0, claimedMs: aheadMs, isBelieved: false, clockErrorMs: aheadMs },
    ])
  }
})

test('a right clock is told as right, and one that is behind by what a line may take is', () => {
  const send = device()
  expect(send(NOW, NOW - 40_000)).toMatchObject([{ atMs: -40_000, isBelieved: true, clockErrorMs: 0 }])
  expect(send(NOW + 4_000, NOW + 4_000)).toMatchObject([{ atMs: 0, claimedMs: undefined, clockErrorMs: 0 }])
})

test.each([1_000, 4_000])(
  'what a device kept is none either where it measured every %i ms and tells one by one',
  (stepMs) => {
    const send = device()
    for (let index = 0; index < 200; index++) {
      const [report] = send(NOW + index * 100, NOW - HOUR_MS + index * stepMs)
      expect(report).toMatchObject({ claimedMs: undefined, isBelieved: true, clockErrorMs: undefined })
    }
  },
)

test.each([1_000, 4_000])('nor where telling what it measured every %i ms pauses for some seconds', (stepMs) => {
  for (let pauseMs = 1_000; pauseMs <= 12_000; pauseMs += 500) {
    const send = device()
    for (let index = 0; index < 60; index++) {
      const [report] = send(NOW + index * 20 + (index < 30 ? 0 : pauseMs), NOW - HOUR_MS + index * stepMs)
      expect(report).toMatchObject({ claimedMs: undefined, isBelieved: true, clockErrorMs: undefined })
    }
  }
})

test('what a device kept is no wrong clock, whether it comes alone, in lists or beside the present', () => {
  const alone = device()
  for (let index = 0; index < 178; index++) {
    // The device sends a reading of each minute of three hours, ten a second.
    const [told] = alone(NOW + index * 100, NOW - 3 * HOUR_MS + index * MINUTE_MS)
    expect(told).toMatchObject({ claimedMs: undefined, isBelieved: true })
    expect([undefined, 0]).toContain(told?.clockErrorMs)
  }
  const beside = device()
  for (let index = 0; index < 60; index++) {
    const nowMs = NOW + index * 5_000
    const keptMs = NOW - 5 * HOUR_MS + index * 20 * MINUTE_MS
    const kept = beside(nowMs, keptMs, keptMs + MINUTE_MS)
    if (keptMs < nowMs - 2 * MINUTE_MS) expect(kept).toMatchObject([{ claimedMs: undefined }, { claimedMs: undefined }])
    expect(beside(nowMs, nowMs)).toMatchObject([{ atMs: 0, claimedMs: undefined }])
  }
})

test('what a device with a wrong clock kept from before stays where its clock said', () => {
  const send = device()
  for (const ms of every(4_000, 4)) send(ms, ms - 2 * HOUR_MS)
  const nowMs = NOW + 20_000
  expect(send(nowMs, nowMs - 8 * HOUR_MS, nowMs - 2 * HOUR_MS)).toMatchObject([
    { atMs: -8 * HOUR_MS, claimedMs: undefined, isBelieved: true },
    { atMs: 0, claimedMs: -2 * HOUR_MS, isBelieved: true },
  ])
})

test('a clock that is set right, or wrong in another way, is known again after three reports', () => {
  const send = device()
  for (const ms of every(4_000, 4)) send(ms, ms + HOUR_MS)
  const later = every(4_000, 12).slice(4)
  const right = later.map((ms) => send(ms, ms)[0])
  expect(right.map((report) => report?.claimedMs)).toEqual(later.map(() => undefined))
  expect(right.at(-1)).toMatchObject({ atMs: 0, isBelieved: true, clockErrorMs: 0 })
  const wrong = every(4_000, 20).slice(12)
  expect(wrong.map((ms) => send(ms, ms - DAY_MS)[0]).at(-1)).toMatchObject({ atMs: 0, clockErrorMs: -DAY_MS })
})

const PACES = [10, 15, 60, 24 * 60].map((minutes) => minutes * MINUTE_MS)

test.each(
  PACES.flatMap((paceMs) => [-2 * HOUR_MS, HOUR_MS, -4 * MINUTE_MS, -25 * DAY_MS, 1 - NOW].map((ms) => [paceMs, ms])),
)(
  'of a device that reports every %i ms, a clock that stays %i ms ahead is known after three reports, too',
  (paceMs, aheadMs) => {
    const send = device()
    // Three components report at each time, one after the other.
    const told = every(paceMs, 6).map((ms) => [0, 900, 1_800].map((later) => send(ms + later, ms + later + aheadMs)[0]))
    for (const reports of told.slice(3)) {
      for (const report of reports)
        expect(report).toMatchObject({ claimedMs: aheadMs, isBelieved: true, clockErrorMs: aheadMs })
    }
  },
)

/** Expects that none of these reports says that a clock was wrong. */
function expectLate(told: readonly ReturnType<ReturnType<typeof device>>[]) {
  for (const report of told.flat()) {
    expect(report).toMatchObject({ claimedMs: undefined, isBelieved: true })
    expect([undefined, 0]).toContain(report.clockErrorMs)
  }
}

test.each(PACES)(
  'what a device that reports every %i ms kept is no wrong clock, whatever way it sends it',
  (paceMs) => {
    const times = every(paceMs, 40)
    const away = (index: number) => index >= 10 && index < 22
    const heard = times.filter((_, index) => !away(index))

    // Each wake sends the oldest report that was not sent yet, so the device stays twelve behind for ever.
    const oldestFirst = device()
    expectLate(heard.map((nowMs, index) => oldestFirst(nowMs, times[index] as number)))

    // The device always sends the report of the wake before.
    const oneBehind = device()
    expectLate(times.map((nowMs) => oneBehind(nowMs, nowMs - paceMs)))

    // The device sends all of them together, then the present.
    const together = device()
    expectLate(
      heard.map((nowMs) => {
        const kept = times.filter((ms, index) => away(index) && nowMs === times[22] && ms < nowMs)
        return together(nowMs, ...kept, nowMs)
      }),
    )

    // The readings were measured in ten parts of each pace, the last of them two minutes ago.
    const parts = device()
    const listOf = (nowMs: number) =>
      Array.from({ length: 10 }, (_, part) => nowMs - 2 * MINUTE_MS - ((9 - part) * paceMs) / 10)
    expectLate(times.map((nowMs) => parts(nowMs, ...listOf(nowMs))))
    const oneByOne = device()
    expectLate(times.flatMap((nowMs) => listOf(nowMs).map((ms, index) => oneByOne(nowMs + index * 300, ms))))
  },
)
