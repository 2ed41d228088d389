import { expect, test } from 'vitest'
import type { CitusState, WorkerState } from './citusState.ts'
import { placeOfTables, whatIsMissing, whatToKnow, whatWouldBeDone } from './distributionReport.ts'

const GB = 1e9
const settings = { maxLocks: 1024, walLevel: 'logical', freeBytes: 100 * GB }
const worker = (name: string, changes: Partial<WorkerState> = {}): WorkerState => ({
  ...{ name, isActive: true, ownerTrouble: undefined, applicationTrouble: undefined, settings },
  ...changes,
})
const table = (name: string, changes = {}) => ({
  ...{ name, partitions: 0, isDistributed: false, localBytes: 6 * GB, hasLocalRows: true },
  ...changes,
})
const READY: CitusState = {
  ...{ version: '14.0-1', isInstalled: true, postgresVersion: 18, coordinator: settings, knowsCoordinator: true },
  workers: [worker('one:5432'), worker('two:5432')],
  tables: [table('closed_day', { partitions: 12 }), table('late_reading')],
  hasReportLogins: false,
}
const missing = (changes: Partial<CitusState>) => whatIsMissing({ ...READY, ...changes })

test('a database with workers that answer lacks nothing', () => {
  expect(whatIsMissing(READY)).toEqual([])
  expect(whatToKnow(READY)).toEqual([])
  expect(whatToKnow({ ...READY, hasReportLogins: true })).toEqual([expect.stringMatching(/^Logins for Grafana do not/)])
})

test('what is missing is said before anything is tried: the extension, its version, workers and settings', () => {
  expect(missing({ version: null, isInstalled: false })[0]).toMatch(/^This PostgreSQL 18 has no Citus\. Install it/)
  expect(missing({ version: null })).toEqual([expect.stringContaining('"create extension citus"')])
  expect(missing({ version: '12.1-1' })).toEqual(['Citus 12.1-1 is too old: 13 or newer is needed.'])
  expect(missing({ knowsCoordinator: false, workers: [] })).toEqual([
    expect.stringContaining('citus_set_coordinator_host'),
    expect.stringContaining('citus_add_node'),
  ])
  expect(missing({ coordinator: { ...settings, maxLocks: 64 } })).toEqual([
    'max_locks_per_transaction of the coordinator is 64: set it to 1024 and start PostgreSQL there again.',
  ])
  expect(missing({ workers: [worker('one:5432', { settings: { ...settings, freeBytes: GB } })] })).toEqual([
    'The disk of the worker one:5432 has 1 GB left; 24 GB may be needed.',
  ])
})

test('a role that cannot sign in to a worker is named, with what the worker says', () => {
  const trouble = 'connection to the remote node failed: role "wayside_app" is not permitted to log in\nmore'
  expect(missing({ workers: [worker('one:5432', { applicationTrouble: trouble })] })).toEqual([
    'The coordinator cannot sign in to the worker one:5432 as wayside_app: connection to the remote node failed: role ' +
      '"wayside_app" is not permitted to log in. The role needs "login" and a password, and the coordinator a line for it ' +
      'in .pgpass (docs/guide/run/more-than-one-machine.md).',
  ])
  expect(missing({ workers: [worker('one:5432', { ownerTrouble: 'no', applicationTrouble: 'no' })] })).toHaveLength(1)
})

test('a dry run names each table, its size, and what an earlier run left', () => {
  expect(
    whatWouldBeDone(
      { ...READY, tables: [table('closed_day', { isDistributed: true }), ...READY.tables.slice(1)] },
      16,
    ).slice(0, 3),
  ).toEqual([
    '2 of 2 tables would go to 2 workers (one:5432, two:5432), in 16 shards each:',
    '  closed_day: distributed, its old rows are still on the coordinator',
    '  late_reading: 6 GB',
  ])
  const done = READY.tables.map(({ name }) => table(name, { isDistributed: true, hasLocalRows: false }))
  expect(whatWouldBeDone({ ...READY, tables: done }, 16)).toEqual([
    'All 2 tables are distributed. Nothing is left to do.',
  ])
  expect(placeOfTables({ ...READY, tables: done })).toBe(
    'Readings are distributed over 2 workers by Citus 14.0-1, and all of them answer.',
  )
})
