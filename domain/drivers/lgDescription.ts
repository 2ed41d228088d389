import type { DriverDescription } from './driverDescription.ts'
import { integer, withDefault } from './driverOption.ts'
import { panelOptions } from './lineOptions.ts'

/** LG's commercial displays, by their RS-232 protocol, which they also accept over the network. */
export const LG = {
  name: 'lg',
  title: 'LG display (RS-232 protocol)',
  parts: ['display'],
  chosenBy: 'console',
  options: {
    ...panelOptions(9761),
    // 0 addresses every display of the line, and their answers would collide.
    setId: withDefault(integer('Set ID of the display, as its menu says', { minimum: 1, maximum: 255 }), 1),
  },
} as const satisfies DriverDescription
