import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { statementsIn } from '#server/db/upgrade/sqlStatements.ts'
import { migrationRule } from './migrationRule.ts'
import { readProject } from './project.ts'
import { STATEMENT_RULES } from './statementRule.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** @returns the offences of migration 62, which comes after one that adds a column, as "line what" */
function judge(...lines: string[]): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'wayside-rules-'))
  folders.push(root)
  const folder = join(root, 'server', 'db', 'migrations')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(root, 'package.json'), '{}')
  writeFileSync(join(folder, '0020_landed.sql'), 'alter table device drop column name;')
  writeFileSync(join(folder, '0041_place.sql'), '-- expand: the place of a device\nalter table device add place text;')
  writeFileSync(join(folder, '0061_more.sql'), '-- expand: more\nalter table device add more text;')
  writeFileSync(join(folder, '0062_next.sql'), lines.join('\n'))
  return migrationRule.offences(readProject(root)).map(({ line, what }) => `${line} ${what}`)
}

const expand = (...lines: string[]) => judge('-- expand: something', ...lines)

test.each([
  ['a column that may be null', 'alter table device add column place text;'],
  ['a column with a default', 'alter table device add place text not null default $$nowhere$$, add other int;'],
  [
    'a new table with constraints',
    'create table place (id int not null unique); alter table place add check (id > 0);',
  ],
  ['an index', 'create index device_place on device (place); drop index device_name;'],
  ['a wider check', 'alter table device drop constraint device_kind, add constraint device_kind check (kind < 9);'],
  ['a wider key', 'alter table day drop constraint day_pkey, add primary key (device_id, day) include (lit);'],
  ['a wider type', 'alter table device alter column kind type bigint;'],
  ['null allowed', 'alter table device alter column name drop not null;'],
  ['a trigger anew', 'drop trigger moved on device; create trigger moved after update on device execute function f();'],
  [
    'what a function does',
    'create function f() returns void language sql as $x$ delete from device; drop table a $x$;',
  ],
  ['words in a comment or a text', "-- drop table device;\ncomment on table device is 'drop table; delete from';"],
  ['rows filled in', 'update device set place = name where place is null;'],
])('expanding: %s is none of its offences', (_what, sql) => {
  expect(expand(sql)).toEqual([])
})

test.each([
  ['a table', 'drop table device;', 'drops something'],
  ['a column', 'alter table device add a int, drop column name;', 'drops something'],
  ['a constraint for good', 'alter table device drop constraint device_kind;', 'drops something'],
  ['a name', 'alter table device rename column name to title;', 'renames something'],
  ['a name of an index', 'alter index device_name rename to device_title;', 'renames something'],
  ['room in a type', 'alter table device alter kind type smallint;', 'may narrow a type to smallint'],
  ['null', 'alter table device alter column name set not null;', 'forbids null'],
  ['a default', 'alter table device alter column name drop default;', 'drops a default'],
  ['a column to be filled', 'alter table device add column kind int not null;', 'does not fill'],
  ['a freedom', 'alter table device add constraint few check (kind < 3);', 'may offend'],
  ['a freedom without a name', 'alter table device add check (kind < 3);', 'may offend'],
  ['rows alike', 'create unique index device_place on device (place);', 'forbids rows that may be alike'],
  ['rows', 'delete from device;', 'takes rows'],
  ['rows within a statement', 'with gone as (delete from device returning id) select * from gone;', 'takes rows'],
  ['rights', 'revoke all on device from wayside_app;', 'takes rows or rights away'],
  ['something within a block', 'do $$ begin alter table device drop column name; end $$;', 'within a block'],
])('expanding: to take away %s is an offence', (_what, sql, words) => {
  const offences = expand('select 1;', sql)
  expect(offences).toHaveLength(1)
  expect(offences[0]).toMatch(/^3 /)
  expect(offences[0]).toContain(words)
})

test('a migration that does not say which it is, is an offence', () => {
  expect(judge('alter table device add a int;')).toEqual(['1 says neither expand nor contract'])
  expect(judge('-- expand:', 'select 1;')).toEqual(['1 says neither expand nor contract'])
})

test('a contracting one names an earlier expanding one, and adds nothing', () => {
  expect(judge('-- contract of 0041: nobody reads it', 'alter table device drop column place;')).toEqual([])
  expect(judge('-- contract of 0020: nobody reads it', 'drop table device;')).toEqual([])
  expect(judge('-- contract of 0062: itself')).toHaveLength(1)
  expect(judge('-- contract of 0007: which is not there')).toHaveLength(1)
  // The version before knows neither of the two.
  expect(judge('-- contract of 0061: too early')).toEqual([expect.stringContaining('cannot do yet')])
  expect(judge('-- contract of 0041: more', 'alter table device drop place, add other int;')).toEqual([
    '2 adds something, which belongs into a migration of its own',
  ])
})

test('statements are told apart by what ends them, not by what is quoted', () => {
  const sql = 'select \'a;b\', "c;d"; -- e;f\n/* g;h */ create function f() as $$ i; $$;\nSELECT 1'
  expect(statementsIn(sql)).toEqual([
    { text: 'select \'\', "c;d"', line: 1 },
    { text: "create function f() as ''", line: 2 },
    { text: 'select 1', line: 3 },
  ])
})

/** @returns the architecture rules that one module of the server breaks */
function offended(code: string, path = 'server/features/alerting/alerts/some.store.ts'): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'wayside-rules-'))
  folders.push(root)
  mkdirSync(join(root, 'server/features/alerting/alerts'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{}')
  writeFileSync(join(root, path), code)
  const project = readProject(root)
  return STATEMENT_RULES.filter(({ offences }) => offences(project).length > 0).map(({ name }) => name)
}

test('a table is made, changed and dropped by a query of its own', () => {
  expect(offended("export const sql = 'create table a (id int); create index b on a (id)'")).toEqual([
    'one-ddl-a-query',
  ])
  expect(offended("export const sql = 'set lock_timeout = 1; alter table a add b int;'")).toEqual(['one-ddl-a-query'])
  expect(offended("export const sql = 'alter table a add b int;'")).toEqual([])
})
