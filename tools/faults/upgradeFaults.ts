import type { Fault } from './fault.ts'

/** These faults concern the cost of an upgrade: the way back, and everybody who waits. */
export const UPGRADE_FAULTS: readonly Fault[] = [
  {
    name: 'A program starts on the schema of any later version',
    file: 'server/db/upgrade/standing.ts',
    replace: 'if (needs !== null && needs <= newest) return',
    by: 'if (needs !== null) return',
    foundBy: ['server/db/upgrade/standing.test.ts', 'server/db/upgrade/migrate.test.ts'],
  },
  {
    name: 'A migration holds up all others until it has its table',
    file: 'server/db/upgrade/migrate.ts',
    replace: '      await owner.query(`set local lock_timeout',
    by: '      if (tries < 0) await owner.query(`set local lock_timeout',
    foundBy: ['server/db/upgrade/migrate.test.ts'],
  },
  {
    name: 'A way back is promised to a program from before migrations said what they need',
    file: 'server/db/upgrade/upgradePlan.ts',
    replace: '!saysNeeds || needs > at',
    by: 'needs > at',
    foundBy: ['server/db/upgrade/upgradePlan.test.ts'],
  },
  {
    name: 'Tables without partitions count as empty before an upgrade',
    file: 'server/db/upgrade/upgradePlan.ts',
    replace: 'pg_table_size(to_regclass(name)))::float8',
    by: '0)::float8',
    foundBy: ['server/db/upgrade/upgradePlan.test.ts'],
  },
]
