import { expect, test } from 'vitest'
import type { FeedChain } from '#domain/darkness/feedChain.ts'
import { defaultFeedChain } from '#domain/darkness/feedChain.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { commandedDarkness } from './commandedDarkness.ts'
import { awayMinutes, causeSeconds, NO_CAUSES, plannedParts, spansWhere, wholeCauses } from './darkCauses.ts'

const span = (from: number, to: number) => ({ fromMs: from * MINUTE_MS, toMs: to * MINUTE_MS })

test('a second of darkness has the first cause that covers it, and else none', () => {
  const seconds = causeSeconds(
    [span(0, 30), span(60, 70)],
    [
      { cause: 'ours', spans: [span(5, 10)] },
      { cause: 'power', spans: [span(0, 20), span(15, 25)] },
      { cause: 'display', spans: [span(0, 65)] },
      { cause: 'network', spans: [span(60, 62)] },
    ],
  )
  expect(seconds).toEqual({ ...NO_CAUSES, ours: 300, power: 1200, display: 600, unexplained: 300 })
})

test('minutes of the causes add up to the minutes of the day, whatever was cut', () => {
  const seconds = { ...NO_CAUSES, power: 100, network: 95, display: 45 }
  expect(wholeCauses(seconds, 4)).toEqual({ ...NO_CAUSES, power: 2, network: 1, display: 1 })
  for (let power = 0; power < 180; power += 7) {
    const some = { ...NO_CAUSES, power, computer: 59 }
    const minutes = Math.round((power + 59) / 60)
    expect(Object.values(wholeCauses(some, minutes)).reduce((sum, one) => sum + one, 0)).toBe(minutes)
  }
})

test('planned darkness is that of an emergency, of off times and of a day plan, in this order', () => {
  const plans = { emergency: [span(10, 20)], offTimes: [span(0, 30)], dayPlan: [span(25, 60)] }
  expect(plannedParts([span(0, 45)], plans, 45)).toEqual([10, 20, 15])
})

test('a reading speaks until the next one, and for two minutes at most', () => {
  const readings = [0, 1, 3, 10, 11].map((minute) => ({ atMs: minute * MINUTE_MS, value: minute === 3 ? 1 : 0 }))
  expect(spansWhere(readings, (value) => value === 0, 2 * MINUTE_MS)).toEqual([span(0, 3), span(10, 13)])
})

test('what nobody could know is counted in whole minutes, within what is unknown', () => {
  expect(awayMinutes([span(0, 10), span(20, 30)], [span(5, 25)])).toBe(10)
  expect(awayMinutes([span(0, 10)], [{ fromMs: 1000, toMs: 100_000 }])).toBe(1)
  expect(awayMinutes([span(0, 10)], [])).toBe(0)
})

test('after a reset a display comes back within minutes, after an outlet was turned off only by turning it on', () => {
  const chain: FeedChain = defaultFeedChain(15 as DeviceModelId, [
    { componentModelId: 17, number: 1, label: '' },
    { componentModelId: 24, number: 1, label: '' },
  ])
  const feeding = chain.parts.find(({ kind }) => kind === 'relayPort')
  const keys = ['display/1']
  const at = (name: string, minute: number, on?: boolean) => ({
    ...{ name, atMs: minute * MINUTE_MS },
    args: { number: 1, port: 1, ...(on !== undefined && { on }) },
  })
  const commands = [
    at('relay.reset', 0),
    at('relay.set', 30, false),
    at('relay.set', 90, true),
    at('relay.set', 200, false),
  ]
  const found = commandedDarkness(chain, keys, commands, 240 * MINUTE_MS)
  expect(found).toEqual(feeding ? [span(0, 10), span(30, 90), span(200, 240)] : [])
})
