import { expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { databaseTest } from '../../testing/database/databaseTest.ts'
import { daysAround, makePartitions } from './partitions.ts'
import { PARTITIONED_TABLES } from './readingTables.ts'

const NOW = new Date('2031-05-30T23:59:59.999Z')

const { owner } = await databaseTest()

async function daysOf(table: string): Promise<string[]> {
  const { rows } = await owner.query<{ day: string }>(
    `select substring(c.relname from length($1) + 2) as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and c.relname > $1 || '_2031' order by 1`,
    [table],
  )
  return rows.map(({ day }) => day)
}

test('days are there from the first that is kept to seven days ahead, and roll-ups have the month after them', async () => {
  await makePartitions(owner, NOW, 2)
  const { fromMs, toMs } = daysAround(NOW, 2)
  const days: string[] = []
  for (let at = fromMs; at < toMs; at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10).replaceAll('-', ''))
  expect([days.length, days[0], days.at(-1)]).toEqual([10, '20310528', '20310606'])
  for (const { table } of PARTITIONED_TABLES) expect(await daysOf(table)).toEqual(days)
  expect(await daysOf('rollup')).toEqual(['203105', '203106', '203107'])
  expect(await makePartitions(owner, NOW, 2)).toBe(0)
  expect(await makePartitions(owner, new Date(NOW.getTime() + 1), 2)).toBe(PARTITIONED_TABLES.length)
})
