import type { DriverDescription } from './driverDescription.ts'
import { macAddress } from './lineOptions.ts'

/** Wakes a device by its network address: a panel, or a second computer as port 1 of a relay. */
export const WAKE_ON_LAN = {
  name: 'wake-on-lan',
  title: 'Wake by network (Wake-on-LAN)',
  parts: ['display', 'relay'],
  chosenBy: 'console',
  options: { mac: macAddress('MAC address') },
} as const satisfies DriverDescription
