import { expect, test } from 'vitest'
import { withFills } from './fills.ts'
import type { LaneName, TimelineItem, TimelineLane } from './lanes.ts'

const item = (fromMs: number, toMs: number | undefined): TimelineItem => ({
  ...{ key: `${fromMs}`, fromMs, toMs, text: '', detail: '', tone: 'off', to: undefined },
})
const lane = (name: LaneName, ...items: TimelineItem[]): TimelineLane => ({ name, title: name, sinceMs: 0, items })
const KNOWN = { light: 'lit', isOnBattery: false, lastEvent: '2026-11-20T10:00:00.000Z' } as const
const fillOf = (name: LaneName, lanes: readonly TimelineLane[], device: Parameters<typeof withFills>[1] = KNOWN) =>
  withFills(lanes, device).find((one) => one.name === name)?.fill

test('the time between items is filled with the state that holds there', () => {
  expect(fillOf('light', [lane('light', item(20, 30), item(50, 60))])).toEqual({
    text: 'Lit',
    spans: [
      { fromMs: 0, toMs: 20 },
      { fromMs: 30, toMs: 50 },
      { fromMs: 60, toMs: undefined },
    ],
  })
})

test('a state that goes on leaves nothing after it', () => {
  expect(fillOf('presence', [lane('presence', item(20, undefined))])?.spans).toEqual([{ fromMs: 0, toMs: 20 }])
})

test('of power nothing is known while the device was offline', () => {
  expect(fillOf('power', [lane('power', item(10, 20)), lane('presence', item(15, 40))])?.spans).toEqual([
    { fromMs: 0, toMs: 10 },
    { fromMs: 40, toMs: undefined },
  ])
})

test('what was never known is not filled', () => {
  const unknown = { light: null, isOnBattery: null, lastEvent: null }
  for (const name of ['light', 'power', 'presence', 'alerts'] as const)
    expect(fillOf(name, [lane(name)], unknown)).toBeUndefined()
})
