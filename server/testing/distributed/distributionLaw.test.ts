import { afterAll, expect, test } from 'vitest'
import { databaseTest } from '../database/databaseTest.ts'
import { shapeOf } from '../database/statementRecord.ts'
import { OFFENCE } from './distributionLaw.ts'
import { openLawDatabase } from './lawDatabase.ts'
import { singleStatements } from './statementTree.ts'

const { database } = await databaseTest()
const law = await openLawDatabase(database.ownerUrl)
afterAll(() => law.end())

const OF_ONE = `select (select max(mean) from rollup r, unnest(r.means) mean where r.device_id = d.device_id and r.day = d.day)
  from (select device_id, day from closed_day where device_id = $1) d`

test.each([
  ['all about one device, whatever it is', OF_ONE],
  [
    'rows of one device by a view of two tables',
    'select * from readings_of_ups where device_id = $1 order by device_dt limit 1',
  ],
  [
    'a join by device, grouped',
    `select d.id, r.field_id, sum(n) from unnest($1::int[]) d (id)
     join rollup r on r.device_id = d.id cross join unnest(r.counts) n group by 1, 2`,
  ],
  ['tables joined by device', 'select count(*) from closed_day c join late_reading l using (device_id, number)'],
  [
    'rows between times that are given for each device',
    `select s.id, r.device_dt from unnest($1::int[], $2::timestamptz[]) s (id, since)
      cross join lateral (select device_id, device_dt from readings_of_ups u where u.device_id = s.id and device_dt > s.since) r`,
  ],
  [
    'the newest of each device, numbered there',
    `select s.id, r.device_dt from unnest($1::int[]) s (id) cross join lateral (
       select t.*, row_number() over (partition by t.device_id, t.number order by device_dt desc) as place
       from reading_display t where t.device_id = s.id) r where r.place <= 3`,
  ],
  ['a list of devices that is asked for apart', 'select * from device where id in (select device_id from closed_day)'],
  [
    'a query in brackets on the same worker',
    `select * from closed_day c
     where exists (select from late_reading l where l.device_id = c.device_id and l.number = c.number)`,
  ],
  ['a cursor', 'declare some cursor for select * from reading_display where device_id = 1'],
  [
    'rows that are added',
    'insert into device_message (device_id, at, hash, msg) select d, now(), $2, $3 from unnest($1::int[]) d',
  ],
  ['rows of many devices that go', 'delete from rejected_report where received_at < $1'],
  [
    'tables that are on the coordinator',
    'select (select count(*) from alert a where a.device_id = d.id) from device d',
  ],
])('%s runs where rows lie by device', async (_, statement) => {
  expect(await law.judge(statement)).toEqual([])
})

test.each([
  [
    OFFENCE.rowByRow,
    `select s.id, r.device_dt from unnest($1::int[]) s (id) cross join lateral (
       select device_dt from reading_display t where t.device_id = s.id order by device_dt desc limit 3) r`,
  ],
  [
    OFFENCE.rowByRow,
    `with stale as materialized (select device_id from rollup_due)
      select s.device_id, r.newest from stale s
        cross join lateral (select max(day) as newest from rollup r where r.device_id = s.device_id) r
      union all select s.device_id, c.newest from stale s
        cross join lateral (select max(day) as newest from closed_day c where c.device_id = s.device_id) c`,
  ],
  [
    OFFENCE.rowByRow,
    `select (select count(*) from rollup r where r.device_id = d.id), (select count(*) from closed_day c where c.device_id = d.id)
      from device d`,
  ],
  [
    OFFENCE.rowByRow,
    `select d.id, r.* from unnest($1::int[]) d (id)
      cross join lateral (select sum(n) from rollup r, unnest(r.counts) n where r.device_id = d.id group by r.field_id) r`,
  ],
  [OFFENCE.rowByRow, 'select (select count(*) from rollup r where r.device_id = d.id) from device d'],
  [
    OFFENCE.rowByRow,
    'select id from device d where exists (select from readings_of_ups u where u.device_id = d.id) or status_id = 1',
  ],
  [OFFENCE.join, 'select count(*) from closed_day c join late_reading l using (number)'],
  [OFFENCE.lock, 'select * from late_reading where number = $1 for update skip locked'],
  [OFFENCE.volatile, 'delete from rejected_report where random() < 0.5'],
  [OFFENCE.place, 'delete from rejected_report where ctid in (select ctid from rejected_report limit 10)'],
])('what %s is found', async (offence, statement) => {
  expect(await law.judge(statement)).toContain(offence)
})

test('statements sent in one exchange are read one by one, and those that define have nothing to read', async () => {
  const sent = `select 1; insert into device (name) values ('a;b') -- c;d\n; select ';'`
  expect(singleStatements(sent)).toHaveLength(3)
  expect(await law.judge('create table made (device_id integer)')).toBeUndefined()
})

test('statements that differ by values alone are one, and one value is not several', () => {
  const read = (list: string) => shapeOf(`select * from rollup where device_id = 7 and field_id in (${list})`)
  expect(read('1, 2')).toBe(read('$3, $4, $5'))
  expect(read('1, 2')).not.toBe(read('1'))
})
