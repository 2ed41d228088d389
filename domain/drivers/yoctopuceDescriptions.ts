import type { DriverDescription } from './driverDescription.ts'
import { address, choice, integer, optional, port, text, withDefault } from './driverOption.ts'

const hub = {
  host: address('Address of the hub'),
  port: port(4444),
  serial: text('Serial number of the module'),
}

export const YOCTOPUCE = {
  name: 'yoctopuce',
  title: 'Yoctopuce buttons or relays (by their hub)',
  parts: ['yocto', 'relay'],
  chosenBy: 'console',
  options: {
    ...hub,
    firstRelay: withDefault(integer('Relay of the module that is port 1', { minimum: 1, maximum: 16 }), 1),
    // A relay that feeds through its idle contact switches back without help after a reset.
    onWhen: withDefault(
      choice('What hangs on it has power while the relay is', { values: ['active', 'idle'] }),
      'active',
    ),
  },
} as const satisfies DriverDescription

/** A light sensor or a photo-transistor behind such a hub: light of the surroundings, or of the panel itself. */
export const YOCTOPUCE_LIGHT = {
  name: 'yoctopuce-light',
  title: 'Yoctopuce light sensor (by its hub)',
  parts: ['display'],
  chosenBy: 'console',
  options: {
    ...hub,
    sensor: withDefault(
      choice('Sensor', {
        values: ['lightSensor', 'anButton1', 'anButton2', 'anButton3', 'anButton4', 'anButton5'],
      }),
      'lightSensor',
    ),
    sees: choice('It sees', { values: ['panel', 'surroundings'] }),
    dark: optional(integer('Its value with the display off', { minimum: 0, maximum: 200_000 })),
    lit: optional(integer('Its value with the display at 100 %', { minimum: 0, maximum: 200_000 })),
  },
} as const satisfies DriverDescription
