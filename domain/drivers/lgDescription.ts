import type { DriverDescription } from './driverDescription.ts'
import { integer, withDefault } from './driverOption.ts'
import { panelOptions } from './lineOptions.ts'

/** LG's commercial displays, by the protocol of their RS-232 port, which their network takes too. */
export const LG = {
  name: 'lg',
  title: 'LG display (RS-232 protocol)',
  parts: ['display'],
  chosenBy: 'console',
  options: {
    ...panelOptions(9761),
    // 0 speaks to every display of the line, whose answers then collide.
    setId: withDefault(integer('Set ID of the display, as its menu says', { minimum: 1, maximum: 255 }), 1),
  },
} as const satisfies DriverDescription
