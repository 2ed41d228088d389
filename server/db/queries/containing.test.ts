import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { expect, test } from 'vitest'
import { seededRandom } from '#testing/seededRandom.ts'
import { databaseTest } from '../../testing/database/databaseTest.ts'
import { openPool } from '../connect/pool.ts'
import { openDatabase } from '../database.ts'
import { byNames, holds, holdsByIndex } from './containing.ts'

const { database, owner } = await databaseTest()
const pool = openPool(database.ownerUrl, { maximumConnections: 2, name: 'containing test' })
const db = openDatabase(pool)

const LETTERS = [...'aAbBüÜßẞİıſΣσςéÉ東京🙂👩‍🚀%_\\\'" 7{},.', 'e\u0301', '\u0001']
const [DEVICES, SEARCHES] = [300, 200]

test('whatever is searched for, the index finds the names that a look at each of them finds', async () => {
  const chance = seededRandom()
  const textOf = (most: number) =>
    Array.from(
      { length: Math.floor(chance() * (most + 1)) },
      () => LETTERS[Math.floor(chance() * LETTERS.length)],
    ).join('')
  const names = Array.from({ length: DEVICES }, () => textOf(12))
  await owner.query(`insert into customer (name) values ('Index')`)
  await owner.query(
    `insert into device (guid, name, model_id, customer_id, iot_device_id)
     select gen_random_uuid(), name, 1, (select max(id) from customer), '' from unnest($1::text[]) name`,
    [names],
  )
  await owner.query('analyze device')
  let found = 0
  for (let search = 0; search < SEARCHES; search++) {
    const name = names[Math.floor(chance() * names.length)] ?? ''
    const at = Math.floor(chance() * name.length)
    // The text is a part of a name in another case, or anything.
    const part = chance() < 0.7 ? [...name.slice(at, at + 1 + Math.floor(chance() * 5))].join('') : textOf(4)
    const text = (chance() < 0.5 ? part.toUpperCase() : part).replaceAll(/\p{Surrogate}/gu, '🙂')
    const ids = (named: RawBuilder<SqlBool>) => sql<number[]>`array(select id from device where ${named} order by id)`
    const { rows } = await sql<{ looked: number[]; indexed: number[]; either: number[] }>`
      select ${ids(holds('device.name', text))} as looked, ${ids(holdsByIndex('device.name', text))} as indexed,
        ${byNames(text, ids)} as either`.execute(db)
    expect(rows[0]?.indexed, JSON.stringify(text)).toEqual(rows[0]?.looked)
    expect(rows[0]?.either).toEqual(rows[0]?.looked)
    found += rows[0]?.looked.length ?? 0
  }
  expect(found).toBeGreaterThan(SEARCHES)
  await pool.end()
})

test('what most names hold is looked for in the names, what few hold by the index', async () => {
  await owner.query(`update device set name = 'Tower ' || id`)
  await owner.query('analyze device')
  const { rows } = await owner.query(
    `select is_common_in_names('OWER') as common, is_common_in_names('') as everything, is_common_in_names('77') as rare,
       is_common_in_names('nowhere') as nowhere`,
  )
  expect(rows).toEqual([{ common: true, everything: true, rare: false, nowhere: false }])
  await owner.query('set enable_seqscan = off')
  const { rows: plan } = await owner.query(
    `explain select from device where text_grams(name) @> text_needles('ower 77') and coalesce(name ilike '%ower 77%', false)`,
  )
  expect(JSON.stringify(plan)).toContain('device_name_grams')
})
