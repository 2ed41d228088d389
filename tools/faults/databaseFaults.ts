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
    file: 'server/db/ReadExchange.ts',
    replace: "'force_generic_plan', true",
    by: "'auto', true",
    foundBy: ['server/db/askTogether.test.ts'],
  },
  {
    name: 'What is asked after a question that is planned once is planned like it',
    file: 'server/db/ReadExchange.ts',
    replace: "'force_generic_plan', true",
    by: "'force_generic_plan', false",
    foundBy: ['server/db/askTogether.test.ts'],
  },
]
