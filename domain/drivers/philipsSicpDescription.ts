import type { DriverDescription } from './driverDescription.ts'
import { choice, integer, withDefault } from './driverOption.ts'
import { panelOptions } from './lineOptions.ts'

/** Philips' professional displays, by their "Serial/Ethernet Interface Communication Protocol". */
export const PHILIPS_SICP = {
  name: 'philips-sicp',
  title: 'Philips display (SICP)',
  parts: ['display'],
  chosenBy: 'console',
  options: {
    ...panelOptions(5000),
    // 0 addresses every display of the line, and none of them answers.
    monitorId: withDefault(integer('Monitor ID of the display, as its menu says', { minimum: 1, maximum: 255 }), 1),
    // Displays up to SICP 1.7 have no groups, and no byte for them.
    frames: withDefault(choice('Its frames', { values: ['withGroup', 'withoutGroup'] }), 'withGroup'),
  },
} as const satisfies DriverDescription
