import type { Fault } from './fault.ts'

export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: 'A question that fails takes those with it that were sent together with it',
    file: 'server/db/askTogether.ts',
    replace: 'if (isOfFirst) void send(pool, [one])',
    by: 'if (!isOfFirst) void send(pool, [one])',
    foundBy: ['server/db/askTogether.test.ts'],
  },
  {
    name: 'A question of tables with many partitions is planned anew each time',
    file: 'server/db/Exchange.ts',
    replace: "'force_generic_plan', true",
    by: "'auto', true",
    foundBy: ['server/db/askTogether.test.ts'],
  },
  {
    name: 'What is asked after a question that is planned once is planned like it',
    file: 'server/db/Exchange.ts',
    replace: "'force_generic_plan', true",
    by: "'force_generic_plan', false",
    foundBy: ['server/db/askTogether.test.ts'],
  },
  {
    name: 'What a change leaves to its commit is never written',
    file: 'server/db/CheckedDialect.ts',
    replace: '[...ahead, COMMIT]',
    by: '[COMMIT]',
    foundBy: ['server/db/CheckedDialect.test.ts', 'server/http/allOrNothing.test.ts'],
  },
  {
    name: 'A change that was undone is told as done',
    file: 'server/db/CheckedDialect.ts',
    replace: "results.at(-1)?.command !== 'COMMIT'",
    by: 'results.length === 0',
    foundBy: ['server/db/CheckedDialect.test.ts'],
  },
  {
    name: 'Devices without a place are counted as on the map of all',
    file: 'server/features/devices/list/devicePinsView.store.ts',
    replace: 'found.devices - found.without',
    by: 'found.devices',
    foundBy: ['server/features/devices/list/devicePinsView.test.ts'],
  },
  {
    name: 'A power action whose time was over before it was accepted is carried out',
    file: 'server/features/devices/commands/commands.service.ts',
    replace: "        if (isLate()) throw new CallError('command_too_late')\n",
    by: '',
    foundBy: ['server/gateway/lateCommands.test.ts'],
  },
  {
    name: 'The time of a power action begins when it is accepted',
    file: 'server/features/devices/commands/commands.service.ts',
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
