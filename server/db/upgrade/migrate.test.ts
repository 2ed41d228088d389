import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { EVENT_TYPES } from '#domain/catalogue/eventTypes.ts'
import { LOOK_LAYOUT } from '#server/telemetry/ingress/rowLayout.ts'
import { passTime } from '#testing/passTime.ts'
import { emptyDatabase, freshDatabase } from '../../testing/database/freshDatabase.ts'
import { KEPT_DAYS } from '../../testing/database/keptDays.ts'
import { eventually } from '../../testing/devices/gatewayFixture.ts'
import { quoted, readingsOf, readingTable } from '../partitions/readingTables.ts'
import { migrate } from './migrate.ts'
import { migrationOf, readMigrations } from './migrationFiles.ts'

const READING_KEY_COLUMNS = ['device_dt', 'inserted', 'claimed_at', 'device_id', 'number', 'is_corrected']

const leftovers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of leftovers.splice(0).reverse()) await clean()
})

async function setup(kind: typeof freshDatabase | typeof emptyDatabase) {
  const database = await kind()
  leftovers.push(() => database.drop())
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    leftovers.push(() => client.end())
    return client
  }
  return { database, owner: await connect(database.ownerUrl), application: await connect(database.applicationUrl) }
}

test('two starters on an empty database wait for each other', async () => {
  const { database, owner } = await setup(emptyDatabase)
  await Promise.all([
    migrate(database.ownerUrl, { retentionDays: 2 }),
    migrate(database.ownerUrl, { retentionDays: 2 }),
  ])
  const { rows } = await owner.query('select number, count(*)::int as times from migration group by number')
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every(({ times }) => times === 1)).toBe(true)
})

test('a database that is newer than the program is refused, and so is a migration that was edited', async () => {
  const { database, owner } = await setup(freshDatabase)
  await owner.query(`insert into migration (number, file_name, checksum) values (9999, '9999_future.sql', 'x')`)
  await expect(migrate(database.ownerUrl)).rejects.toThrow('The database is newer than this program')
  await owner.query('delete from migration where number = 9999')
  await owner.query(`update migration set checksum = 'x' where number = 1`)
  await expect(migrate(database.ownerUrl)).rejects.toThrow('was changed after it ran')
})

const NEXT = migrationOf('9001_next.sql', '-- expand: a note on a mail\nalter table notification add column note text')

test('the version before starts on the schema of the next, and the one before that does not', async () => {
  const { database } = await setup(freshDatabase)
  const own = await readMigrations()
  const newest = own.at(-1)?.number ?? 0
  const kept = { retentionDays: KEPT_DAYS }
  await migrate(database.ownerUrl, { ...kept, migrations: [...own, { ...NEXT, needs: newest }] })
  await migrate(database.ownerUrl, kept)
  const before = own.filter(({ number }) => number < newest)
  await expect(migrate(database.ownerUrl, { migrations: before })).rejects.toThrow(
    `The database is newer than this program: it has migration 9001_next.sql, which needs a program that knows ${newest}`,
  )
})

test('a connection that is lost in the middle ends the migration with an error and not the program', async () => {
  const { database } = await setup(freshDatabase)
  const lost = migrationOf('9001_lost.sql', '-- expand: nothing\nselect pg_terminate_backend(pg_backend_pid())')
  await expect(migrate(database.ownerUrl, { migrations: [...(await readMigrations()), lost] })).rejects.toThrow()
  await passTime(100, 'an error of the connection that nobody hears of would end the program')
})

test('a migration gives way to who holds its table, and to all behind that one, and comes in when that one ends', async () => {
  const { database, owner, application } = await setup(freshDatabase)
  await owner.query('begin')
  await owner.query('lock table notification in access share mode')
  const own = await readMigrations()
  let hasEnded = false
  const migrating = migrate(database.ownerUrl, { retentionDays: KEPT_DAYS, migrations: [...own, NEXT] }).then(() => {
    hasEnded = true
  })
  const waits = () =>
    owner
      .query(`select from pg_locks where relation = 'notification'::regclass and not granted`)
      .then(({ rowCount }) => rowCount)
  await eventually(waits, (count) => count === 1)
  // The statement waits behind the migration that wants an exclusive lock, and is answered when that one gives way.
  await application.query('select from notification')
  expect(hasEnded).toBe(false)
  await owner.query('commit')
  await migrating
  await application.query('select note from notification')
})

test('every field of the catalogue has its column, of its type', async () => {
  const { owner } = await setup(freshDatabase)
  const { rows } = await owner.query<{ table_name: string; column_name: string; data_type: string }>(
    `select table_name, column_name, data_type from information_schema.columns where table_schema = 'public'`,
  )
  const columns = new Map(rows.map((row) => [`${row.table_name}.${row.column_name}`, row.data_type]))
  const missing = EVENT_TYPES.flatMap((type) =>
    type.fields
      .filter((field) => columns.get(`${readingTable(type)}.${field.name}`) !== field.storage)
      .map((field) => `alter table ${readingTable(type)} add column ${quoted(field.name)} ${field.storage};`),
  )
  const missingInLooks = LOOK_LAYOUT.fields
    .filter(({ name, storage }) => columns.get(`${LOOK_LAYOUT.table}.${name}`) !== storage)
    .map(({ name, storage }) => `alter table ${LOOK_LAYOUT.table} add column ${quoted(name)} ${storage};`)
  const missingInViews = EVENT_TYPES.flatMap((type) =>
    type.fields
      .filter(({ name, storage }) => columns.get(`${readingsOf(type)}.${name}`) !== storage)
      .map(({ name }) => `create or replace view ${readingsOf(type)} with ${name}`),
  )
  // A new migration must add what is listed here.
  expect([...missing, ...missingInLooks, ...missingInViews]).toEqual([])
  for (const type of EVENT_TYPES) {
    for (const column of READING_KEY_COLUMNS) expect(columns.has(`${readingTable(type)}.${column}`)).toBe(true)
  }
})

test('the application can add audit rows and neither change nor delete them', async () => {
  const { application } = await setup(freshDatabase)
  const insert = `insert into audit_log (action_id, entity_type_id, call, outcome) values (1, 1, 'x', 'done')`
  await application.query(insert)
  await expect(application.query(`update audit_log set outcome = 'x'`)).rejects.toThrow('permission denied')
  await expect(application.query('delete from audit_log')).rejects.toThrow('permission denied')
  await expect(application.query('truncate audit_log')).rejects.toThrow('permission denied')
  await expect(application.query('drop table audit_log')).rejects.toThrow('must be owner')
  expect((await application.query('select count(*)::int as n from audit_log')).rows).toEqual([{ n: 1 }])
})

test('fields of a state move forwards alone, whatever the order', async () => {
  const { application } = await setup(freshDatabase)
  const merged = async (first: object, second: object) =>
    (await application.query('select merge_fields($1, $2) as fields', [first, second])).rows[0].fields
  const early = { a: [1, 100], b: [1, 100] }
  const late = { b: [2, 200], c: [2, 200] }
  expect(await merged(early, late)).toEqual({ a: [1, 100], b: [2, 200], c: [2, 200] })
  expect(await merged(late, early)).toEqual({ a: [1, 100], b: [2, 200], c: [2, 200] })
  expect(await merged(early, { a: [9, 100] })).toEqual(early)
})
