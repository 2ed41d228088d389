import { DDCUTIL } from './ddcutilDescription.ts'
import type { DriverDescription } from './driverDescription.ts'
import { EXEC } from './execDescription.ts'
import { GPIO } from './gpioDescription.ts'
import { HWMON } from './hwmonDescription.ts'
import { LG } from './lgDescription.ts'
import { MODBUS } from './modbusDescription.ts'
import { NEC } from './necDescription.ts'
import { NUT } from './nutDescription.ts'
import { WLR_RANDR, XRANDR } from './outputDescriptions.ts'
import { PHILIPS_SICP } from './philipsSicpDescription.ts'
import { SAMSUNG_MDC } from './samsungMdcDescription.ts'
import { SNMP } from './snmpDescription.ts'
import { SYSTEMD } from './systemdDescription.ts'
import { WAKE_ON_LAN } from './wakeOnLanDescription.ts'
import { YOCTOPUCE, YOCTOPUCE_LIGHT } from './yoctopuceDescriptions.ts'

/** Every driver, in the order of the console; `device/hardware/composed/drivers.ts` has their code. */
export const DRIVERS: readonly DriverDescription[] = [
  NUT,
  SAMSUNG_MDC,
  LG,
  NEC,
  PHILIPS_SICP,
  YOCTOPUCE,
  YOCTOPUCE_LIGHT,
  MODBUS,
  SNMP,
  WAKE_ON_LAN,
  DDCUTIL,
  XRANDR,
  WLR_RANDR,
  HWMON,
  GPIO,
  SYSTEMD,
  EXEC,
]

/** Simulated devices report this as their driver; nobody can choose it. */
export const PRETEND_DRIVER = 'pretend'

export function driverByName(name: string): DriverDescription | undefined {
  return DRIVERS.find((driver) => driver.name === name)
}
