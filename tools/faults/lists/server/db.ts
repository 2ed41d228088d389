import type { Fault } from '../fault.ts'

export const DB_FAULTS: readonly Fault[] = [
  {
    name: 'What the database refuses for one device is refused to all of its batch',
    file: 'server/db/queries/Batches.ts',
    replace: 'batch.length > 1 && isRefusalOfData(error)',
    by: 'batch.length > 1_000_000 && isRefusalOfData(error)',
    foundBy: ['server/db/queries/Batches.test.ts'],
  },
  {
    name: 'A change or a sign-in whose commit was not heard of is told as failed, although it is done',
    file: 'server/db/connect/CheckedDialect.ts',
    replace: '(await asked).rows[0]?.status',
    by: "(await asked) && 'aborted'",
    foundBy: ['server/http/lostCommit.test.ts'],
  },
  {
    name: 'A login of the database is ended while a server uses it',
    file: 'server/db/logins/databaseLogins.ts',
    replace: 'if (found.connections > 0) {',
    by: 'if (found.connections < 0) {',
    foundBy: ['server/db/logins/databaseLogins.test.ts'],
  },
  {
    name: 'A migration holds up all others until it has its table',
    file: 'server/db/briefLocks.ts',
    replace: '      await owner.query(`set local lock_timeout',
    by: '      if (tries < 0) await owner.query(`set local lock_timeout',
    foundBy: ['server/db/upgrade/migrate.test.ts'],
  },
  {
    name: 'A search finds nothing that is shorter than three letters',
    file: 'server/db/migrations/0023_search.sql',
    replace: 'generate_series(1, 3) size',
    by: 'generate_series(3, 3) size',
    foundBy: ['server/db/queries/containing.test.ts'],
  },
  {
    name: 'Partitions are made for one day less than said',
    file: 'server/db/partitions/partitions.ts',
    replace: 'day <= last; day += DAY_MS',
    by: 'day < last; day += DAY_MS',
    foundBy: ['server/db/partitions/partitions.test.ts', 'server/jobs/clock.test.ts'],
  },
  {
    name: 'A migration that was edited after it ran is not noticed',
    file: 'server/db/upgrade/standing.ts',
    replace: 'own.checksum === row.checksum ||',
    by: 'own.fileName === row.file_name ||',
    foundBy: ['server/db/upgrade/migrate.test.ts'],
  },
  {
    name: 'A program starts on the schema of any later version',
    file: 'server/db/upgrade/standing.ts',
    replace: 'if (needs !== null && needs <= newest) return',
    by: 'if (needs !== null) return',
    foundBy: ['server/db/upgrade/standing.test.ts', 'server/db/upgrade/migrate.test.ts'],
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
