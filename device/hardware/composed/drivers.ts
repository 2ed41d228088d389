import { ddcutilDriver } from '../ddcutil/ddcutilDriver.ts'
import type { Driver } from '../driver.ts'
import { execDriver } from '../exec/execDriver.ts'
import { hwmonDriver } from '../hwmon/hwmonDriver.ts'
import { nutDriver } from '../nut/nutDriver.ts'

/** Every driver of this client, one line each; what their options are stands in `domain/drivers`. */
export const DRIVERS_OF_CLIENT: readonly Driver[] = [nutDriver, ddcutilDriver, hwmonDriver, execDriver]
