import { EVENT_TYPES } from '../catalogue/eventTypes.ts'
import type { DriverDescription } from './driverDescription.ts'
import { integer, local, withDefault } from './driverOption.ts'
import { readAbsolutePath, readArguments, readEach } from './localValues.ts'

/** Runs any program that prints JSON, for hardware that no other driver supports. */
export const EXEC = {
  name: 'exec',
  title: 'A program of the totem',
  parts: EVENT_TYPES.map(({ topic }) => topic),
  chosenBy: 'file',
  options: {
    program: local('Program', readAbsolutePath),
    /** The program prints the reading with these arguments. */
    arguments: withDefault(local('Arguments', readArguments), []),
    /** The program carries out a command with these arguments, by name. */
    commands: withDefault(local('Commands', readEach(readArguments, 'an object of lists of arguments')), {}),
    /** It is killed after this time. */
    seconds: withDefault(integer('Seconds', { minimum: 1, maximum: 3 }), 3),
  },
} as const satisfies DriverDescription
