import type { DriverDescription } from './driverDescription.ts'
import { address, optional, port, secret, text, withDefault } from './driverOption.ts'

/** Network UPS Tools: one UPS and its outlets as its server `upsd` reports them (RFC 9271). */
export const NUT = {
  name: 'nut',
  title: 'UPS by Network UPS Tools (upsd)',
  parts: ['ups', 'power-switch'],
  chosenBy: 'console',
  options: {
    host: address('Address of upsd'),
    port: port(3493),
    ups: withDefault(text('Name of the UPS there'), 'ups'),
    username: optional(text('User')),
    password: optional(secret('Password')),
  },
} as const satisfies DriverDescription
