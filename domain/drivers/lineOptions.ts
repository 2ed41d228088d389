import {
  address,
  choice,
  type DriverOption,
  integer,
  local,
  optional,
  port,
  text,
  withDefault,
} from './driverOption.ts'
import { readAbsolutePath } from './localValues.ts'

/** A serial port is a file of the device, so only its own file can name it. */
const serialPath = local<string>('Serial port', readAbsolutePath)

/** Options of instruments that answer by network and by a serial port; one of `host` and `path` is required. */
export const lineOptions = (tcpPort: number, baud: number) => ({
  host: optional(address('Address')),
  port: port(tcpPort),
  path: optional(serialPath),
  baud: withDefault(integer('Baud rate of the serial port', { minimum: 300, maximum: 115_200 }), baud),
})

const MAC = /^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i

export const macAddress = (label: string): DriverOption<string> => ({
  ...text(label),
  read: (value) =>
    typeof value === 'string' && MAC.test(value)
      ? { value }
      : { reason: 'must be a MAC address, such as 00:1a:2b:3c:4d:5e' },
})

/** Options of displays that are reached by network or by RS-232. */
export const panelOptions = (tcpPort: number) => ({
  ...lineOptions(tcpPort, 9600),
  /** `panel` switches the light or the picture off and leaves the power on. */
  darkBy: withDefault(choice('It is made dark by', { values: ['panel', 'power'] }), 'panel'),
  /** Set for a display whose network sleeps while it is off. */
  wakeMac: optional(macAddress('Wake by network (MAC address)')),
})
