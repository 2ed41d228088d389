import type { Fault } from './fault.ts'

export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: 'Devices without a place are counted as on the map of all',
    file: 'server/features/devices/list/devicePinsView.store.ts',
    replace: 'found.devices - found.without',
    by: 'found.devices',
    foundBy: ['server/features/devices/list/devicePinsView.test.ts'],
  },
  {
    name: 'A power action whose time was over before it was accepted is carried out',
    file: 'server/features/devices/commands/carryOutCommand.ts',
    replace: "    if (isLate()) throw new CallError('command_too_late')\n",
    by: '',
    foundBy: ['server/gateway/lateCommands.test.ts'],
  },
  {
    name: 'The time of a power action begins when it is accepted',
    file: 'server/features/devices/commands/carryOutCommand.ts',
    replace: 'userId, username, since }',
    by: 'userId, username }',
    foundBy: ['server/gateway/lateCommands.test.ts'],
  },
  {
    name: 'A login of the database is ended while a server uses it',
    file: 'server/db/logins/databaseLogins.ts',
    replace: 'if (found.connections > 0) {',
    by: 'if (found.connections < 0) {',
    foundBy: ['server/db/logins/databaseLogins.test.ts'],
  },
]
