import { expect, test } from 'vitest'
import { standardComponents } from '../components/standardComponents.ts'
import type { DeviceModelId } from '../ids.ts'
import { consequenceOf, type SwitchingCommand } from './consequence.ts'
import { defaultFeedChain } from './feedChain.ts'

const chainOf = (modelId: number) =>
  defaultFeedChain(modelId as DeviceModelId, standardComponents(modelId as DeviceModelId))
const of = (modelId: number, command: SwitchingCommand) => consequenceOf(chainOf(modelId), command)
const on = (name: 'powerSwitch.set' | 'routerRelay.set', number: number, isOn: boolean): SwitchingCommand => ({
  name,
  args: { number, on: isOn },
})
const relay = (port: number, isOn: boolean): SwitchingCommand => ({
  name: 'relay.set',
  args: { number: 1, port, on: isOn },
})

test('after power switch 2 of model 1 is off, nobody can reach the device', () => {
  expect(of(1, on('powerSwitch.set', 2, false))).toEqual({
    isKnown: true,
    takesDown: ['The Beaglebone'],
    reach: 'lost',
    sentence:
      'Power switch 2 feeds the Beaglebone, which alone can switch it back on: after Off you cannot reach this device.',
  })
})

test('power switch 1 of model 1 takes the display and the PC down, and can be turned on again', () => {
  expect(of(1, on('powerSwitch.set', 1, false))).toEqual({
    isKnown: true,
    takesDown: ['The PC', 'Display'],
    reach: 'reachable',
    sentence:
      'Power switch 1 feeds the PC and "Display": down until you turn it on again; the device stays reachable, so that you can.',
  })
})

const DISPLAYS = ['Front display', 'Left display', 'Right display']
const CAMERAS = ['Street camera', 'Cabinet camera']

test.each<[number, SwitchingCommand, readonly string[], string]>([
  [
    1,
    { name: 'ups.reboot', args: {} },
    ['The PC', 'Display', 'Network switch 1', 'Network switch 2', 'The Beaglebone'],
    'comesBack',
  ],
  [
    1,
    { name: 'ups.shutdown', args: {} },
    ['The PC', 'Display', 'Network switch 1', 'Network switch 2', 'The Beaglebone'],
    'lost',
  ],
  [1, { name: 'ups.groupReset', args: { group: 1 } }, ['The PC', 'Display'], 'reachable'],
  [1, { name: 'ups.groupReset', args: { group: 2 } }, ['Network switch 1', 'Network switch 2'], 'comesBack'],
  [1, { name: 'router.reset', args: { number: 1 } }, [], 'comesBack'],
  [1, { name: 'router.reset', args: { number: 2 } }, [], 'reachable'],
  [1, { name: 'powerSwitch.reset', args: { number: 1 } }, ['The PC', 'Display'], 'reachable'],
  [1, { name: 'powerSwitch.reset', args: { number: 2 } }, ['The Beaglebone'], 'comesBack'],
  [1, on('powerSwitch.set', 1, true), [], 'reachable'],
  [1, on('powerSwitch.set', 2, true), [], 'reachable'],
  [15, { name: 'ups.groupReset', args: { group: 1 } }, [...DISPLAYS], 'reachable'],
  [15, { name: 'ups.groupReset', args: { group: 2 } }, [...CAMERAS, 'Router'], 'comesBack'],
  [15, { name: 'routerRelay.reset', args: { number: 1 } }, [], 'comesBack'],
  [15, { name: 'routerRelay.portReset', args: { number: 1 } }, [], 'comesBack'],
  [15, on('routerRelay.set', 1, false), [], 'lost'],
  [15, on('routerRelay.set', 1, true), [], 'reachable'],
  [15, relay(1, false), DISPLAYS, 'reachable'],
  [15, relay(2, false), CAMERAS, 'reachable'],
  [15, relay(1, true), [], 'reachable'],
  [15, { name: 'relay.reset', args: { number: 1, port: 1 } }, DISPLAYS, 'reachable'],
  [22, relay(1, false), ['Display'], 'reachable'],
  [22, relay(2, false), [], 'reachable'],
  [22, on('routerRelay.set', 1, false), [], 'lost'],
  [22, { name: 'ups.shutdown', args: {} }, ['Display', 'Router', 'The computer'], 'lost'],
])('model %i, %j', (modelId, command, takesDown, reach) => {
  expect(of(modelId, command)).toMatchObject({ takesDown: expect.arrayContaining([...takesDown]), reach })
  expect(of(modelId, command).takesDown).toHaveLength(takesDown.length)
})

test('the only router is the only way', () => {
  expect(of(22, on('routerRelay.set', 1, false)).sentence).toBe(
    'Router is the only way to this device: after Off you cannot reach this device.',
  )
  expect(of(1, { name: 'router.reset', args: { number: 2 } }).sentence).toBe(
    'Network switch 2 is not the way to this device: it stays reachable.',
  )
})

test('of what a device does not have nothing is claimed', () => {
  expect(of(2, relay(1, false))).toEqual({
    isKnown: false,
    takesDown: [],
    reach: 'reachable',
    sentence: 'What this feeds is not known here.',
  })
  expect(of(22, relay(2, false)).sentence).toBe(
    'Nothing is known to depend on port 2 of relay 1; the device stays reachable.',
  )
})
