import type { DriverDescription } from './driverDescription.ts'
import { integer, withDefault } from './driverOption.ts'
import { panelOptions } from './lineOptions.ts'

/** Displays of NEC and Sharp/NEC, by their "External Control" protocol, by network or RS-232. */
export const NEC = {
  name: 'nec',
  title: 'NEC or Sharp/NEC display (External Control)',
  parts: ['display'],
  chosenBy: 'console',
  options: {
    ...panelOptions(7142),
    // "ALL" and groups address every display of the line, and their answers would collide.
    monitorId: withDefault(integer('Monitor ID of the display, as its menu says', { minimum: 1, maximum: 100 }), 1),
    /** This sensor is reported as its temperature. */
    sensor: withDefault(integer('Temperature sensor', { minimum: 1, maximum: 3 }), 1),
  },
} as const satisfies DriverDescription
