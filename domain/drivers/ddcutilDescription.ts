import type { DriverDescription } from './driverDescription.ts'
import { choice, integer, local, withDefault } from './driverOption.ts'
import { readAbsolutePath } from './localValues.ts'

/** A display on the computer's own graphics, by DDC/CI and the program ddcutil. */
export const DDCUTIL = {
  name: 'ddcutil',
  title: 'Display by DDC/CI (ddcutil)',
  parts: ['display'],
  chosenBy: 'file',
  options: {
    /** The number of the I²C bus: `ddcutil detect` shows it as /dev/i2c-4. */
    bus: integer('I²C bus', { minimum: 0, maximum: 255 }),
    /** Many displays that are off do not answer until somebody presses their button. */
    darkBy: withDefault(choice('It is made dark by', { values: ['standby', 'off'] }), 'standby'),
    program: withDefault(local('Program', readAbsolutePath), '/usr/bin/ddcutil'),
  },
} as const satisfies DriverDescription
