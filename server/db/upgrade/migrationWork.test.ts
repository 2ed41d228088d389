import { expect, test } from 'vitest'
import { readMigrations } from './migrationFiles.ts'
import { workOf } from './migrationWork.ts'

const said = (sql: string) => workOf(sql).map(({ kind, table }) => `${kind} ${table}`)

test.each([
  ['create index a_b on alert (b)', ['reads alert']],
  ['create unique index on only alert (b) where b > 1', ['reads alert']],
  ['create table fresh (id integer); create index on fresh (id); update fresh set id = 1', []],
  [`alter table alert add column kind text not null default 'level', add column at timestamptz default now()`, []],
  ['alter table alert add column guid uuid default gen_random_uuid()', ['rewrites alert']],
  ['alter table alert add column w text generated always as (lower(a)) stored', ['rewrites alert']],
  ['alter table alert alter column id type bigint', ['rewrites alert']],
  ['alter table alert add constraint positive check (id > 0)', ['reads alert']],
  ['alter table alert add constraint positive check (id > 0) not valid', []],
  ['alter table alert alter column kind set not null', ['reads alert']],
  ['update alert a set kind = 1 from device d where d.id = a.id', ['changes alert']],
  ['insert into incident (id) select id from alert where true', ['copies alert']],
  ['insert into x (id) values (1) on conflict (id) do update set id = 2', []],
  ['delete from alert_event', ['changes alert_event']],
  [
    'do $$ begin update alert set kind = 1; alter table device alter column a type bigint; end $$',
    ['rewrites device', 'changes alert'],
  ],
  ['create function f() returns trigger language plpgsql as $$ begin update alert set a = 1; end $$', []],
  ['create trigger t after insert or update on device for each row execute function f()', []],
  ['drop table device; grant select on alert to wayside_app', []],
])('%s', (sql, expected) => {
  expect(said(sql)).toEqual(expected)
})

test('every migration that landed says what it is for', async () => {
  for (const { title, fileName } of await readMigrations()) expect(title, fileName).toMatch(/^\S.+/)
})
