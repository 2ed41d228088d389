import { expect, test } from 'vitest'
import { darkTitle } from './darkTitle.ts'

test.each([
  ['Front display is dark: the display gets no picture from its computer.', 'Dark: no picture from the computer'],
  ['Display 2 is dark: Power switch 1, which feeds the display, is off.', 'Dark: power switch 1 is off'],
  ['Display is dark: backlight is on but gives no light.', 'Dark: backlight is on but gives no light'],
  ['Display is dark: the UPS gives no power. Besides: Mains: mains power is out.', 'Dark: the UPS gives no power'],
  ['Display is dark: Graz relay, which feeds the display, is off.', 'Dark: Graz relay is off'],
  ['No mains.', 'Dark: No mains'],
  ['', 'Dark'],
])('%s', (verdict, title) => {
  expect(darkTitle(verdict)).toBe(title)
})
