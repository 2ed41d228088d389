import { DDCUTIL } from './ddcutilDescription.ts'
import type { DriverDescription } from './driverDescription.ts'
import { EXEC } from './execDescription.ts'
import { HWMON } from './hwmonDescription.ts'
import { NUT } from './nutDescription.ts'

/** Every driver there is, in the order in which the console offers them; `device/hardware/composed/drivers.ts` has what they do. */
export const DRIVERS: readonly DriverDescription[] = [NUT, DDCUTIL, HWMON, EXEC]

export function driverByName(name: string): DriverDescription | undefined {
  return DRIVERS.find((driver) => driver.name === name)
}
