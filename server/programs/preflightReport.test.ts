import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { type PreflightFacts, preflightReport } from './preflightReport.ts'

const now = new Date('2026-06-01T12:00:00Z')
const MEGABYTE = 1_000_000
const works = [{ table: 'alert', kind: 'reads', bytes: 2_100 * MEGABYTE, ms: 20_400 }] as const
const facts: PreflightFacts = {
  ...{ at: 48, newest: 50, refusal: undefined, ahead: [], noWayBack: undefined, openTransactions: [] },
  planned: [
    { fileName: '0049_first.sql', title: 'the first of two', works: [] },
    { fileName: '0050_second.sql', title: 'the second', works },
  ],
  ...{ neededBytes: 2_100 * MEGABYTE, freeBytes: 9_000 * MEGABYTE, now },
  backup: { reachesTo: new Date(now.getTime() - 3 * MINUTE_MS) },
}

test('what would run, with what, how long, the way back and the newest backup', () => {
  expect(preflightReport(facts)).toEqual({
    lines: [
      'The database has migrations up to 48, this program knows them up to 50.',
      '2 migrations would run, each of them whole or not at all:',
      '  0049  the first of two',
      '  0050  the second',
      '        alert (2.1 GB): reads all of it, nobody writes to it meanwhile, about 21 s',
      'Together about 21 s, tried on this database just now. Servers of the version before go on meanwhile.',
      '',
      'Way back: put the program before in its place at any time; it runs on the new schema, and nothing is lost.',
      'Backups: all up to 3 min ago can be restored.',
      'Nothing stands against it.',
    ],
    isClear: true,
  })
})

test('what stands against it is told, each with what to do', () => {
  const { lines, isClear } = preflightReport({
    ...facts,
    freeBytes: 1_000 * MEGABYTE,
    noWayBack: '0050_second.sql',
    backup: { reachesTo: new Date(now.getTime() - 2 * HOUR_MS) },
    openTransactions: [{ pid: 77, application: 'report', openMs: 12 * MINUTE_MS }],
  })
  expect(isClear).toBe(false)
  expect(lines.slice(lines.indexOf('Before you begin:') + 1)).toEqual([
    '  The disk has 1 GB left; up to 4.2 GB may be needed.',
    '  A transaction of “report” (process 77 of the database) is open for 12 min: migrations wait for it.',
    '  The way back is a backup, and none reaches to within an hour of now: npm run backup',
  ])
  expect(lines).toContain(
    'Way back: only from a backup, without what was stored since. The program before does not start on 0050_second.sql.',
  )
})

test.each([
  ['not set', 'Backups: none is known here (WAYSIDE_BACKUP_FOLDER is not set).'],
  [{ reachesTo: undefined }, 'Backups: there is none yet.'],
  [{ trouble: 'No such folder.' }, 'Backups: cannot be read. No such folder.'],
] as const)('backups: %j', (backup, sentence) => {
  expect(preflightReport({ ...facts, backup }).lines).toContain(sentence)
  expect(preflightReport({ ...facts, backup, noWayBack: '0049_first.sql' }).isClear).toBe(false)
})

test('a database that is up to date, an empty one, one that is ahead and one that is refused', () => {
  const upToDate = { ...facts, at: 50, planned: [], freeBytes: 0 }
  expect(preflightReport(upToDate)).toMatchObject({ isClear: true })
  expect(preflightReport(upToDate).lines).toContain('Nothing would be changed: it can start at any time.')
  expect(preflightReport({ ...facts, at: 0 }).lines).toContain('There is nothing to go back to.')
  expect(preflightReport({ ...upToDate, ahead: ['0051_third.sql'] }).lines).toContain(
    'A newer version ran 0051_third.sql already; this program runs beside it, being the version before.',
  )
  expect(preflightReport({ ...facts, refusal: 'Too new.' })).toEqual({ lines: ['Too new.'], isClear: false })
})
