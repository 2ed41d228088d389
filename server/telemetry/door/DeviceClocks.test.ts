import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { DeviceClocks } from './DeviceClocks.ts'
import type { EventLayout } from './eventLayout.ts'
import { layoutByTypeId } from './eventLayout.ts'
import { checkReports } from './reportCheck.ts'

const NOW = Date.UTC(2026, 10, 20, 10)
const layout = layoutByTypeId(3) as EventLayout

/** A device, and what becomes of the reports that it sends at some moments. */
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

test('what a device kept is no wrong clock, whether it comes alone, in lists or beside the present', () => {
  const alone = device()
  for (let index = 0; index < 178; index++) {
    // A reading of each minute of three hours, ten a second.
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
