import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standardComponents } from '../components/standardComponents.ts'
import type { DeviceModelId } from '../ids.ts'
import { changedFeeds, type Feeds, feedsProblem, possibleFeeders, withFeeds } from './configuredFeeds.ts'
import { consequenceOf } from './consequence.ts'
import { defaultFeedChain, type FeedChain, partOf, supplyOf } from './feedChain.ts'

const chainOf = (modelId: number) =>
  defaultFeedChain(modelId as DeviceModelId, standardComponents(modelId as DeviceModelId))
const TOTEM = chainOf(1)
const KIOSK = chainOf(15)
const fedBy = (chain: FeedChain, key: string) => partOf(chain, key)?.fedBy

test('what somebody has wired wins over the default of the model, and changes what a command does', () => {
  const wired = withFeeds(TOTEM, { computer: 'powerSwitch/1' })
  expect([fedBy(TOTEM, 'computer'), fedBy(wired, 'computer')]).toEqual(['powerSwitch/2', 'powerSwitch/1'])
  expect(partOf(wired, 'computer')?.defaultFedBy).toBe('powerSwitch/2')
  const off = (number: number) => ({ name: 'powerSwitch.set', args: { number, on: false } }) as const
  expect(consequenceOf(wired, off(1)).reach).toBe('lost')
  expect(consequenceOf(wired, off(2))).toMatchObject({ takesDown: [], reach: 'reachable' })
})

test('of a relay that somebody has wired nothing is said to be usual', () => {
  const off = { name: 'relay.set', args: { number: 1, port: 2, on: false } } as const
  expect(consequenceOf(KIOSK, off).sentence).toMatch(/^As this model is usually wired: /)
  const feeds = { 'camera/1': 'ups', 'camera/2': 'ups', 'display/1': 'relayPort/1/2' }
  expect(consequenceOf(withFeeds(KIOSK, feeds), off).sentence).toBe(
    'Port 2 of relay 1 feeds "Front display": down until you turn it on again; the device stays reachable, so that you can.',
  )
})

test.each<[string, FeedChain, Feeds, string]>([
  ['a part that is not there', TOTEM, { 'camera/1': 'ups' }, 'This device has no part "camera/1".'],
  [
    'a feeder that is not there',
    TOTEM,
    { computer: 'relayPort/1/1' },
    'The Beaglebone cannot be fed by "relayPort/1/1": this device has no such part.',
  ],
  ['itself', TOTEM, { 'powerSwitch/1': 'powerSwitch/1' }, 'Power switch 1 cannot feed itself.'],
  ['the mains', TOTEM, { mains: 'ups' }, 'What feeds the mains cannot be changed.'],
  ['a group of the UPS', TOTEM, { 'upsGroup/1': 'mains' }, 'What feeds group 1 of the UPS cannot be changed.'],
  [
    'what passes no power on',
    TOTEM,
    { 'display/1': 'computer' },
    'The Beaglebone passes no power on: it cannot feed Display.',
  ],
  [
    'a circle of two',
    TOTEM,
    { 'powerSwitch/1': 'powerSwitch/2', 'powerSwitch/2': 'powerSwitch/1' },
    'Power switch 1 would feed itself: Power switch 1 → Power switch 2 → Power switch 1.',
  ],
  [
    'a circle through what stays as it is',
    KIOSK,
    { ups: 'relayPort/1/1' },
    'The UPS would feed itself: The UPS → Group 1 of the UPS → Port 1 of relay 1 → The UPS.',
  ],
])('refused: %s', (_title, chain, feeds, sentence) => {
  expect(feedsProblem(chain, feeds)).toBe(sentence)
})

test('a part whose feeder was removed, and what became a circle, fall back to the default', () => {
  const feeds = { computer: 'relayPort/1/1', 'display/1': 'powerSwitch/2' }
  const wired = withFeeds(TOTEM, feeds)
  expect([fedBy(wired, 'computer'), fedBy(wired, 'display/1')]).toEqual(['powerSwitch/2', 'powerSwitch/2'])
  const circle = withFeeds(TOTEM, { 'powerSwitch/1': 'powerSwitch/2', 'powerSwitch/2': 'powerSwitch/1' })
  expect([fedBy(circle, 'powerSwitch/1'), fedBy(circle, 'powerSwitch/2')]).toEqual(['powerSwitch/2', 'ups'])
})

test('what has to be taken from where it hangs first is wired all the same', () => {
  const wired = withFeeds(KIOSK, { ups: 'relayPort/1/1', 'relayPort/1/1': 'mains' })
  expect([fedBy(wired, 'ups'), fedBy(wired, 'relayPort/1/1')]).toEqual(['relayPort/1/1', 'mains'])
})

test('what is as the model has it needs no row', () => {
  expect(changedFeeds(TOTEM, { computer: 'powerSwitch/2', player: 'ups' })).toEqual({ player: 'ups' })
})

test('whatever is wired, every part hangs on the mains, and each offered feeder is accepted', () => {
  const chains = [TOTEM, KIOSK, chainOf(22)]
  fc.assert(
    fc.property(
      fc.constantFrom(...chains),
      fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 12 }),
      (chain, pairs) => {
        const keyAt = (index: number) => chain.parts[index % chain.parts.length]?.key ?? ''
        const feeds = Object.fromEntries(pairs.map(([part, feeder]) => [keyAt(part), keyAt(feeder)]))
        const wired = withFeeds(chain, feeds)
        for (const part of wired.parts) {
          if (part.key !== 'mains') expect(supplyOf(wired, part.key).at(-1)?.key).toBe('mains')
          for (const { key } of possibleFeeders(wired, part)) {
            const now = Object.fromEntries(
              wired.parts.flatMap((it) => (it.fedBy === it.defaultFedBy ? [] : [[it.key, it.fedBy ?? '']])),
            )
            expect(feedsProblem(chain, { ...now, [part.key]: key })).toBeUndefined()
          }
        }
        if (feedsProblem(chain, feeds) === undefined) {
          for (const [key, feeder] of Object.entries(feeds)) expect([key, fedBy(wired, key)]).toEqual([key, feeder])
        }
      },
    ),
  )
})
