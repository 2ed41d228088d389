import { expect, test } from 'vitest'
import { unreportedComponents } from './unreported.ts'

const [RELAY, DISPLAY, SENSOR, SWITCH] = [4, 7, 8, 14]
const fitted = (componentModelId: number, number = 1, isExpected = false) => ({ componentModelId, number, isExpected })
const DISPLAY_1 = { eventTypeId: 4, number: 1 }

test('what was never reported is named, and what reports with another component or is expected is not', () => {
  const relay = fitted(RELAY)
  const components = [relay, fitted(DISPLAY), fitted(SENSOR), fitted(RELAY, 2, true)]
  expect(unreportedComponents(components, [DISPLAY_1])).toEqual([relay])
  expect(unreportedComponents(components, [DISPLAY_1, { eventTypeId: 8, number: 1 }])).toEqual([])
})

test('two network switches share one report', () => {
  const switches = [fitted(SWITCH, 1), fitted(SWITCH, 2)]
  expect(unreportedComponents(switches, [DISPLAY_1])).toEqual(switches)
  expect(unreportedComponents(switches, [{ eventTypeId: 7, number: 1 }])).toEqual([])
})

test('of a device that has never reported anything nothing is asked', () => {
  expect(unreportedComponents([fitted(RELAY)], [])).toEqual([])
})
