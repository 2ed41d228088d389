import { expect, test } from 'vitest'
import { standardComponents } from '../components/standardComponents.ts'
import type { DeviceModelId } from '../ids.ts'
import { withFeeds } from './configuredFeeds.ts'
import { consequenceOf } from './consequence.ts'
import { defaultFeedChain, supplyOf } from './feedChain.ts'
import { controlOf, resetCommandOf, restartOf, restartsOf } from './restart.ts'

const chainOf = (modelId: number, feeds: Readonly<Record<string, string>> = {}) =>
  withFeeds(defaultFeedChain(modelId as DeviceModelId, standardComponents(modelId as DeviceModelId)), feeds)

test.each([
  [1, 'computer', {}, 'powerSwitch/2', 'powerSwitch.reset'],
  [1, 'player', {}, 'powerSwitch/1', 'powerSwitch.reset'],
  [1, 'computer', { computer: 'upsGroup/2' }, 'upsGroup/2', 'ups.groupReset'],
  [22, 'computer', {}, 'ups', 'ups.reboot'],
  [22, 'computer', { computer: 'relayPort/1/2' }, 'relayPort/1/2', 'relay.reset'],
] as const)('of model %i the %s, wired by %j, is restarted by %s', (modelId, key, feeds, part, command) => {
  const restart = restartOf(chainOf(modelId, feeds), key)
  expect(restart).toMatchObject({ target: { key }, part: { key: part }, command: { name: command } })
})

test.each([
  [1, 'computer', {}, ['computer.reboot', 'powerSwitch.reset']],
  [1, 'player', {}, ['powerSwitch.reset']],
  [22, 'computer', {}, ['computer.reboot', 'ups.reboot']],
  [22, 'computer', { computer: 'mains' }, ['computer.reboot']],
] as const)(
  'of model %i the %s, wired by %j, is restarted by these, the gentlest first: %j',
  (modelId, key, feeds, names) => {
    const chain = chainOf(modelId, feeds)
    const restarts = restartsOf(chain, key)
    expect(restarts.map(({ command }) => command.name)).toEqual(names)
    const downs = restarts.map(({ command }) => consequenceOf(chain, command).takesDown)
    for (const [index, down] of downs.entries())
      expect(down).toEqual(expect.arrayContaining([...(downs[index - 1] ?? [])]))
  },
)

test('nothing further up that can be reset takes less down', () => {
  for (const modelId of [1, 2, 15, 22]) {
    const chain = chainOf(modelId)
    const chosen = restartOf(chain, 'computer')
    if (!chosen) continue
    const least = consequenceOf(chain, chosen.command).takesDown
    expect(least).toContain(chosen.target.name)
    for (const feeder of supplyOf(chain, 'computer')) {
      const command = resetCommandOf(feeder)
      if (command) expect(consequenceOf(chain, command).takesDown).toEqual(expect.arrayContaining([...least]))
    }
  }
})

test('what hangs on the mains alone cannot be restarted from here', () => {
  expect(restartOf(chainOf(1, { computer: 'mains' }), 'computer')).toBeUndefined()
})

test('a toggle and the button beside it are two controls', () => {
  expect(controlOf({ name: 'relay.set', args: { number: 1, port: 2, on: true } })).toBe('relayPort/1/2')
  expect(controlOf({ name: 'relay.reset', args: { number: 1, port: 2 } })).toBe('relayPort/1/2/reset')
  expect(controlOf({ name: 'ups.reboot', args: {} })).toBe('ups/reboot')
})
