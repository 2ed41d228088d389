import { expect, test } from 'vitest'
import { backlightForPower, displayPowerNotice, isDisplayOn } from './displayPower.ts'

test('on is a backlight of 100, off of 0, and any light at all counts as on', () => {
  expect([backlightForPower(true), backlightForPower(false)]).toEqual([100, 0])
  expect([0, 0.5, 100, undefined].map(isDisplayOn)).toEqual([false, true, true, undefined])
})

test('there is a notice for switching on without and for switching off with automatic backlight, and no other', () => {
  expect(displayPowerNotice(true, false)).toMatch(/enable the ambient sensor/i)
  expect(displayPowerNotice(false, true)).toMatch(/disable the ambient sensor to keep the display off/i)
  const others = [displayPowerNotice(true, true), displayPowerNotice(false, false), displayPowerNotice(true, undefined)]
  expect([...others, displayPowerNotice(false, undefined)]).toEqual([undefined, undefined, undefined, undefined])
})
