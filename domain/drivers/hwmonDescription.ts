import type { DriverDescription } from './driverDescription.ts'
import { local, withDefault } from './driverOption.ts'
import { type Read, readAbsolutePath, readEach } from './localValues.ts'

/** A chip and one of its inputs, by the kernel's names: `nct6775/fan2`. */
const SENSOR = /^[A-Za-z0-9_.-]{1,60}\/(temp|fan)[0-9]{1,2}$/

const readSensor = (value: unknown): Read<string> =>
  typeof value === 'string' && SENSOR.test(value)
    ? { value }
    : { reason: 'must be a chip and its input, such as k10temp/temp1 or nct6775/fan2' }

/** Temperatures and fans that the kernel of the device's computer measures (hwmon). */
export const HWMON = {
  name: 'hwmon',
  title: 'Sensors of the computer (hwmon)',
  parts: ['device', 'ecu', 'display'],
  chosenBy: 'file',
  options: {
    sensors: local('Sensors', readEach(readSensor, 'an object of fields and their sensors')),
    folder: withDefault(local('Folder', readAbsolutePath), '/sys/class/hwmon'),
  },
} as const satisfies DriverDescription
