import { ddcutilDriver } from '../ddcutil/ddcutilDriver.ts'
import type { Driver } from '../driver.ts'
import { execDriver } from '../exec/execDriver.ts'
import { gpioDriver } from '../gpio/gpioDriver.ts'
import { hwmonDriver } from '../hwmon/hwmonDriver.ts'
import { lgDriver } from '../lg/lgDriver.ts'
import { modbusDriver } from '../modbus/modbusDriver.ts'
import { necDriver } from '../nec/necDriver.ts'
import { nutDriver } from '../nut/nutDriver.ts'
import { wlrRandrDriver, xrandrDriver } from '../outputs/outputDrivers.ts'
import { philipsSicpDriver } from '../philipsSicp/sicpDriver.ts'
import { samsungMdcDriver } from '../samsungMdc/mdcDriver.ts'
import { snmpDriver } from '../snmp/snmpDriver.ts'
import { systemdDriver } from '../systemd/systemdDriver.ts'
import { wakeOnLanDriver } from '../wakeOnLan/wakeOnLanDriver.ts'
import { yoctopuceDriver } from '../yoctopuce/yoctopuceDriver.ts'
import { yoctopuceLightDriver } from '../yoctopuce/yoctopuceLightDriver.ts'

/** Lists every driver of this client; `domain/drivers` describes their options. */
export const DRIVERS_OF_CLIENT: readonly Driver[] = [
  nutDriver,
  samsungMdcDriver,
  lgDriver,
  necDriver,
  philipsSicpDriver,
  yoctopuceDriver,
  yoctopuceLightDriver,
  modbusDriver,
  snmpDriver,
  wakeOnLanDriver,
  ddcutilDriver,
  xrandrDriver,
  wlrRandrDriver,
  hwmonDriver,
  gpioDriver,
  systemdDriver,
  execDriver,
]
