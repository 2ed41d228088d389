import type { Fault } from '../../fault.ts'

const FOUND_BY = ['server/features/insight/auditLog/auditSeal.test.ts'] as const

export const INSIGHT_FAULTS: readonly Fault[] = [
  {
    name: 'What was sealed before there were bulk actions is called changed',
    file: 'server/features/insight/auditLog/auditDigests.store.ts',
    replace: "coalesce(' of ' || d.bulk_id, '')",
    by: "' of ' || coalesce(d.bulk_id::text, '')",
    foundBy: ['server/features/insight/auditLog/auditDigests.test.ts'],
  },
  {
    name: 'A seal is printed by the settings of the connection',
    file: 'server/features/insight/auditLog/auditDigests.store.ts',
    replace: "to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US')",
    by: '${moment}::text',
    foundBy: FOUND_BY,
  },
  {
    name: 'A fold counts rows outside the scope of its reader',
    file: 'server/features/insight/auditLog/auditLog.store.ts',
    replace: 'readFolds(db, rows, halves, asked)',
    by: 'readFolds(db, rows, [sql`select * from audit_log`], asked)',
    foundBy: ['server/features/insight/auditLog/bulkActions.test.ts'],
  },
  {
    name: 'A block is sealed without the head before it',
    file: 'server/features/insight/auditLog/auditSeal.store.ts',
    replace: "'(select head from before)'",
    by: "'null'",
    foundBy: FOUND_BY,
  },
  {
    name: 'Rows are sealed while another is added in front of them',
    file: 'server/features/insight/auditLog/auditSealJob.ts',
    replace: 'writers: new Set(await auditWriters(owner))',
    by: 'writers: new Set<string>()',
    foundBy: FOUND_BY,
  },
  {
    name: 'A person is erased together with the proof',
    file: 'server/features/insight/auditLog/erasePerson.store.ts',
    replace: 'await run(KEEP_DIGESTS, persons)',
    by: '',
    foundBy: ['server/features/insight/auditLog/erasePerson.test.ts'],
  },
  {
    name: 'Whoever is to be erased is erased before they are deleted',
    file: 'server/features/insight/auditLog/erasePerson.store.ts',
    replace: 'where erase_asked_at is not null and deleted_at is not null order by id',
    by: 'where erase_asked_at is not null order by id',
    foundBy: ['server/app/personalData.test.ts'],
  },
  {
    name: 'A row that was added to a sealed block goes unseen',
    file: 'server/features/insight/auditLog/verifyAudit.store.ts',
    replace: "idsWhere('was.id is null')",
    by: "idsWhere('false')",
    foundBy: FOUND_BY,
  },
  {
    name: 'A customer who had no devices then has a gap in its trend',
    file: 'server/features/insight/overview/overview.store.ts',
    replace: 'coalesce(one.${column}, 0)',
    by: 'one.${column}',
    foundBy: ['server/features/insight/overview/overview.test.ts'],
  },
]
