import { expect, test } from 'vitest'
import { powerInDark } from './powerInDark.ts'

const byFile = (...drivers: string[]) => ({ chosen: undefined, told: { setBy: 'file', drivers } as const })
const byConsole = (darkBy: string) => ({
  chosen: { darkBy },
  told: { setBy: 'console', drivers: ['nec'] } as const,
})

test('a panel keeps its power unless its driver was told to take it', () => {
  expect(powerInDark([byConsole('panel')])).toBe('kept')
  expect(powerInDark([byConsole('power')])).toBe('lost')
})

test('a driver of the device’s own file may take the power, and nobody here knows', () => {
  expect(powerInDark([byFile('ddcutil')])).toBe('unknown')
  expect(powerInDark([{ ...byFile('nec'), chosen: { darkBy: 'panel' } }])).toBe('unknown')
})

test('what only reports or pretends takes no power', () => {
  expect(powerInDark([byFile('hwmon', 'yoctopuce-light')])).toBe('kept')
  expect(powerInDark([byFile('pretend')])).toBe('kept')
})

test('a device is as its worst display, and unknown where nothing is known of any', () => {
  expect(powerInDark([byConsole('panel'), byFile('xrandr'), byConsole('power')])).toBe('lost')
  expect(powerInDark([byConsole('panel'), byFile('xrandr')])).toBe('unknown')
  expect(powerInDark([])).toBe('unknown')
})
