import { expect, test } from 'vitest'
import { MINUTE_MS } from '#domain/units/time.ts'
import { foldAlerts } from './alertFold.ts'
import { UNTOUCHED } from './conditionFold.ts'
import type { Sample } from './conditionJudge.ts'

const HOT = {
  judged: { kind: 'level', operator: 'GT', threshold: 60, clearLevel: undefined },
  periodMs: 0,
} as const

const readings = (values: readonly number[], firstMinute = 0): Sample[] =>
  values.map((value, index) => ({ atMs: (firstMinute + index) * MINUTE_MS, values: [value, undefined] }))

test('one alert holds all stretches until somebody closes it', () => {
  const { alerts } = foldAlerts(HOT, UNTOUCHED, readings([50, 61, 62, 50, 70, 50]))
  expect(alerts).toEqual([
    {
      openedAtMs: MINUTE_MS,
      value: 61,
      stretches: [
        { fromMs: MINUTE_MS, toMs: 3 * MINUTE_MS },
        { fromMs: 4 * MINUTE_MS, toMs: 5 * MINUTE_MS },
      ],
      closedAfterMs: undefined,
    },
  ])
})

test('a close takes effect after the reading of its time, and the next rise is a new alert', () => {
  const { alerts, state } = foldAlerts(HOT, UNTOUCHED, readings([61, 62, 63, 50, 70]), [MINUTE_MS])
  expect(alerts.map(({ openedAtMs, closedAfterMs }) => [openedAtMs, closedAfterMs])).toEqual([
    [0, MINUTE_MS],
    [4 * MINUTE_MS, undefined],
  ])
  expect(state.alert).toBe('active')
})

test('a close behind the last reading ends the open alert', () => {
  const { alerts, state } = foldAlerts(HOT, UNTOUCHED, readings([61]), [MINUTE_MS])
  expect(alerts[0]?.closedAfterMs).toBe(MINUTE_MS)
  expect(state).toMatchObject({ alert: 'none', isSuppressed: true })
})

test('a fold that goes on from a state ends as one over everything', () => {
  const all = readings([50, 61, 62, 50, 70, 71, 50, 65])
  const whole = foldAlerts(HOT, UNTOUCHED, all)
  for (let cut = 0; cut <= all.length; cut++) {
    const first = foldAlerts(HOT, UNTOUCHED, all.slice(0, cut))
    expect(foldAlerts(HOT, first.state, all.slice(cut)).state).toEqual(whole.state)
  }
})

test('a change is over when the reading that made it leaves its stretch, whether or not another one comes', () => {
  const change = { judged: { kind: 'change', by: 12, withinMs: 5 * MINUTE_MS }, periodMs: 0 } as const
  const samples = [...readings([10]), ...readings([40], 2)]
  const lastsUntil = (more: readonly Sample[], clockMinute?: number) =>
    foldAlerts(change, UNTOUCHED, [...samples, ...more], [], {
      clockMs: clockMinute && clockMinute * MINUTE_MS,
    }).alerts.map(({ stretches }) => stretches)
  const ended = { fromMs: 2 * MINUTE_MS, toMs: 5 * MINUTE_MS }
  // Nobody knows yet what else was read.
  expect(lastsUntil([])).toEqual([[{ ...ended, toMs: undefined }]])
  expect(lastsUntil([], 5)).toEqual([[{ ...ended, toMs: undefined }]])
  expect(lastsUntil([], 6)).toEqual([[ended]])
  expect(lastsUntil(readings([41], 30))).toEqual([[ended]])
  expect(lastsUntil([...readings([41], 30), ...readings([70], 31)])).toEqual([
    [ended, { fromMs: 31 * MINUTE_MS, toMs: undefined }],
  ])
  // The other machine keeps the condition met.
  expect(lastsUntil(readings([11], 4), 8)).toEqual([[{ ...ended, toMs: 7 * MINUTE_MS }]])
})

test('while two machines report as a device, what one of them meets is not over because the other does not', () => {
  const contested = [{ fromMs: 2 * MINUTE_MS, toMs: 7 * MINUTE_MS }]
  const { alerts } = foldAlerts(HOT, UNTOUCHED, readings([50, 61, 61, 50, 61, 50, 61, 50, 50, 61]), [], { contested })
  expect(alerts.map(({ stretches }) => stretches)).toEqual([
    [
      { fromMs: MINUTE_MS, toMs: 8 * MINUTE_MS },
      { fromMs: 9 * MINUTE_MS, toMs: undefined },
    ],
  ])
})

test('what a person closes meanwhile is not raised again by the other machine', () => {
  const contested = [{ fromMs: 0, toMs: 5 * MINUTE_MS }]
  const turns = readings([61, 50, 61, 50, 61, 50, 50, 61])
  const { alerts } = foldAlerts(HOT, UNTOUCHED, turns, [2 * MINUTE_MS], { contested })
  expect(alerts.map(({ openedAtMs, closedAfterMs }) => [openedAtMs, closedAfterMs])).toEqual([
    [0, 2 * MINUTE_MS],
    [7 * MINUTE_MS, undefined],
  ])
})
