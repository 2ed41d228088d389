import { expect, test } from 'vitest'
import { xrandrOutput } from '../outputs/outputSeen.ts'
import { withoutPaths } from './DriverSource.ts'

/** Reading this text once takes a moment; reading it anew from each character would take longer than a test may. */
const SIGNS = 300_000

test('what programs print is read once, however long it is', () => {
  const slashes = '/-'.repeat(SIGNS / 2)
  expect(withoutPaths(`cannot open /dev/ttyUSB0 ${slashes}`)).toBe(`cannot open (its path) ${slashes}`)
  const printed = `HDMI-1 connected ${'0'.repeat(SIGNS)}`
  expect(xrandrOutput(printed, 'HDMI-1')).toEqual({ isConnected: true, isOn: false, resolution: undefined })
  expect(xrandrOutput('HDMI-1 connected primary 1920x1080+0+0', 'HDMI-1')?.resolution).toBe('1920x1080')
})
