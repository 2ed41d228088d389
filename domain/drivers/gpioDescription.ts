import type { DriverDescription } from './driverDescription.ts'
import { choice, local, withDefault } from './driverOption.ts'
import { type Read, readAbsolutePath, readEach } from './localValues.ts'

export interface GpioLine {
  /** The offset on the chip, as `gpioinfo` shows it. */
  readonly line: number
  /** Low means 1: a contact to ground, or a relay that switches on a low input. */
  readonly isInverted: boolean
}

const LAST_LINE = 1023

function readLine(value: unknown): Read<GpioLine> {
  const {
    line,
    isInverted = false,
    ...others
  } = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : { line: value }
  const isLine = typeof line === 'number' && Number.isInteger(line) && line >= 0 && line <= LAST_LINE
  return isLine && typeof isInverted === 'boolean' && Object.keys(others).length === 0
    ? { value: { line, isInverted } }
    : { reason: `must be a whole number from 0 to ${LAST_LINE}, or an object with line and maybe isInverted` }
}

/** Contacts and relays on the GPIO lines of the device's computer, by the programs of libgpiod. */
export const GPIO = {
  name: 'gpio',
  title: 'Contacts and relays of the computer (GPIO)',
  parts: ['ecu', 'yocto', 'relay', 'power-switch'],
  chosenBy: 'file',
  options: {
    chip: withDefault(local('Chip', readAbsolutePath), '/dev/gpiochip0'),
    lines: local('Lines', readEach(readLine, 'an object of fields and their lines')),
    /** Relays and outlets begin in this state when the client starts, because their earlier state cannot be read. */
    startsWith: withDefault(choice('Starts with outlets', { values: ['on', 'off'] }), 'on'),
    folder: withDefault(local('Folder of the programs', readAbsolutePath), '/usr/bin'),
  },
} as const satisfies DriverDescription
