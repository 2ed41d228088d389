import { expect, test } from 'vitest'
import { type Migration, migrationOf } from './migrationFiles.ts'
import { type RanMigration, standingOf } from './standing.ts'
import { neededBy } from './versions.ts'

const known: readonly Migration[] = [
  migrationOf('0001_first.sql', 'select 1'),
  migrationOf('0002_next.sql', 'select 2'),
]
const [first, next] = known as [Migration, Migration]

const ranOf = ({ number, fileName, checksum }: Migration, more: Partial<RanMigration> = {}): RanMigration => ({
  ...{ number, file_name: fileName, checksum, ran_at: new Date(0), needs: 0, stands_for: [] },
  ...more,
})
const later = (needs: number | null) => ranOf(migrationOf('0003_later.sql', 'select 3'), { needs })

test('what did not run is pending, in order', () => {
  expect(standingOf(known, [])).toEqual({ pending: known, ahead: [] })
  expect(standingOf(known, [ranOf(first)]).pending).toEqual([next])
})

test('a program runs beside what the next version ran, and beside no more', () => {
  const all = known.map((each) => ranOf(each))
  expect(standingOf(known, [...all, later(2)])).toEqual({ pending: [], ahead: [later(2)] })
  expect(() => standingOf(known, [...all, later(3)])).toThrow(
    'The database is newer than this program: it has migration 0003_later.sql, which needs a program that knows 3; this one ends with 2.',
  )
  expect(() => standingOf(known, [...all, later(null)])).toThrow('0003_later.sql, which is unknown here')
})

test('a text that was edited is refused, unless one of the two says that it stands for the other', () => {
  const edited = ranOf(first, { checksum: 'another' })
  expect(() => standingOf(known, [edited])).toThrow('Migration 0001_first.sql was changed after it ran')
  expect(standingOf([{ ...first, standsFor: ['another'] }], [edited]).pending).toEqual([])
  expect(standingOf([first], [{ ...edited, stands_for: [first.checksum] }]).pending).toEqual([])
  expect(() => standingOf([first], [{ ...edited, stands_for: ['a third'] }])).toThrow('was changed')
})

test('a migration needs the newest of the version before its own', () => {
  const versions = [
    { version: '1.0.0', newestMigration: 10 },
    { version: '1.1.0', newestMigration: 14 },
  ]
  expect([1, 10, 11, 14, 15, 99].map((number) => neededBy(number, versions))).toEqual([0, 0, 10, 10, 14, 14])
})
