import { EVENT_TYPES } from '../catalogue/eventTypes.ts'
import type { DriverDescription } from './driverDescription.ts'
import { integer, local, withDefault } from './driverOption.ts'
import { readAbsolutePath, readArguments, readEach } from './localValues.ts'

/** Any program that prints JSON, for what no other driver speaks with. */
export const EXEC = {
  name: 'exec',
  title: 'A program of the totem',
  parts: EVENT_TYPES.map(({ topic }) => topic),
  chosenBy: 'file',
  options: {
    program: local('Program', readAbsolutePath),
    /** With which it prints the reading. */
    arguments: withDefault(local('Arguments', readArguments), []),
    /** With which it carries out a command, by its name. */
    commands: withDefault(local('Commands', readEach(readArguments, 'an object of lists of arguments')), {}),
    /** How long it may take; it is killed then. */
    seconds: withDefault(integer('Seconds', { minimum: 1, maximum: 3 }), 3),
  },
} as const satisfies DriverDescription
