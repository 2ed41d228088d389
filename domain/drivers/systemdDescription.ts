import type { DriverDescription } from './driverDescription.ts'
import { local, withDefault } from './driverOption.ts'
import { type Read, readAbsolutePath } from './localValues.ts'

const MOST_UNITS = 16
const UNIT = /^[A-Za-z0-9][A-Za-z0-9:_.\\@-]{0,199}\.(service|target|mount|timer|socket|path)$/

function readUnits(value: unknown): Read<readonly string[]> {
  const isUnit = (one: unknown): one is string => typeof one === 'string' && UNIT.test(one)
  return Array.isArray(value) && value.length > 0 && value.length <= MOST_UNITS && value.every(isUnit)
    ? { value }
    : { reason: `must be a list of 1 to ${MOST_UNITS} units, such as player.service` }
}

/** Reports whether the required services of the device's computer run: the player, the browser. */
export const SYSTEMD = {
  name: 'systemd',
  title: 'Services of the computer (systemd)',
  parts: ['device'],
  chosenBy: 'file',
  options: {
    units: local('Units', readUnits),
    program: withDefault(local('Program', readAbsolutePath), '/usr/bin/systemctl'),
  },
} as const satisfies DriverDescription
