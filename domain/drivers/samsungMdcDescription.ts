import type { DriverDescription } from './driverDescription.ts'
import { choice, integer, withDefault } from './driverOption.ts'
import { panelOptions } from './lineOptions.ts'

/** Panels with Samsung's "Multiple Display Control Protocol", by network or RS-232. */
export const SAMSUNG_MDC = {
  name: 'samsung-mdc',
  title: 'Samsung display (MDC)',
  parts: ['display'],
  chosenBy: 'console',
  options: {
    ...panelOptions(1515),
    // 0xFE addresses every display of the line, and none of them answers.
    displayId: withDefault(integer('ID of the display, as its menu says', { minimum: 0, maximum: 253 }), 1),
    backlightBy: withDefault(choice('Backlight is set by', { values: ['lamp', 'brightness'] }), 'lamp'),
  },
} as const satisfies DriverDescription
