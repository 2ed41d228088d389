import { readdirSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { fillTables, readTables } from '../../testing/database/fillTables.ts'
import { emptyDatabase } from '../../testing/database/freshDatabase.ts'
import { migrate } from './migrate.ts'

const NUMBERS = readdirSync(new URL('../migrations/', import.meta.url))
  .map((name) => Number(name.slice(0, 4)))
  .sort((a, b) => a - b)
const DAY = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS)

/** A landed migration never changes, so of the older versions every tenth is enough to find a row that gets lost. */
const NEWEST = 12
const OF_THE_OLDER = 10
const READ = NUMBERS.filter((_, index) => index % OF_THE_OLDER === 0 || index >= NUMBERS.length - NEWEST)

/** This table counts changes, so it also counts those that a migration makes. */
const COUNTERS = ['alert_rule_version']

type Row = Readonly<Record<string, unknown>>

async function contentsOf(db: pg.Client, tables: readonly string[]): Promise<ReadonlyMap<string, readonly Row[]>> {
  const { rows } = await db.query<{ table: string; row: Row }>(
    tables.map((table) => `select '${table}' as table, to_jsonb(t) as row from ${table} t`).join(' union all '),
  )
  return new Map(tables.map((table) => [table, rows.filter((each) => each.table === table).map(({ row }) => row)]))
}

/** Makes a partition for the day of the rows, as a server of that version would have done. */
async function makeToday(db: pg.Client): Promise<void> {
  const { rows } = await db.query<{ name: string; step: string }>(
    `select c.relname as name, case when c.relname = 'rollup' then 'month' else 'day' end as step
     from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
     where not exists (select from pg_inherits where inhparent = c.oid)`,
  )
  for (const { name, step } of rows) {
    const from = step === 'day' ? DAY : new Date(Date.UTC(DAY.getUTCFullYear(), DAY.getUTCMonth(), 1))
    const to =
      step === 'day'
        ? new Date(DAY.getTime() + DAY_MS)
        : new Date(Date.UTC(DAY.getUTCFullYear(), DAY.getUTCMonth() + 1, 1))
    const suffix = from
      .toISOString()
      .slice(0, step === 'day' ? 10 : 7)
      .replaceAll('-', '')
    await db.query(
      `create table ${name}_${suffix} partition of ${name} for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
    )
  }
}

const missingFrom = (after: readonly Row[], before: readonly Row[]) => {
  const left = [...after]
  return before.filter((row) => {
    const found = left.findIndex((other) =>
      Object.entries(row).every(([name, value]) => JSON.stringify(other[name]) === JSON.stringify(value)),
    )
    if (found >= 0) left.splice(found, 1)
    return found < 0
  })
}

async function expectRowsOf(db: pg.Client, before: ReadonlyMap<string, readonly Row[]>, number: number) {
  const after = await contentsOf(db, [...before.keys()])
  for (const [table, rows] of before) {
    if (COUNTERS.includes(table)) continue
    expect(missingFrom(after.get(table) ?? [], rows), `${table} after migration ${number}`).toEqual([])
  }
}

test('rows of each landed schema are there, value for value, at the newest', async () => {
  const database = await emptyDatabase()
  const db = new pg.Client({ connectionString: database.ownerUrl })
  await db.connect()
  const seen = new Set<string>()
  let before: ReadonlyMap<string, readonly Row[]> = new Map()
  for (const number of READ) {
    await migrate(database.ownerUrl, { upTo: number })
    await expectRowsOf(db, before, number)
    await makeToday(db)
    await db.query('begin')
    const tables = await fillTables(db, number, DAY)
    await db.query('commit')
    before = await contentsOf(db, tables)
    for (const table of tables) {
      expect(before.get(table), `${table} at ${number}`).not.toEqual([])
      seen.add(table)
    }
  }
  await migrate(database.ownerUrl, { retentionDays: 1 })
  expect(seen.size).toBeGreaterThan(60)
  await db.end()
  await database.drop()
}, 480_000)

/** A landed migration never changes, and was tried beside its writer when it landed: only the newest are tried again. */
const TRIED_BESIDE_WRITERS = 10
/** No row of the test belongs to these rounds; a day has 1,440 minutes. */
const ROUNDS_OF_OTHERS = { from: 100, count: 1_300 }

/** Starts a program of the version before, which fills the tables that it knows while the schema changes. */
async function writerOf(ownerUrl: string) {
  const db = new pg.Client({ connectionString: ownerUrl })
  await db.connect()
  const known = await readTables(db)
  let rounds = 0
  let isOver = false
  const write = async () => {
    const round = ROUNDS_OF_OTHERS.from + (rounds++ % ROUNDS_OF_OTHERS.count)
    for (const table of known) {
      await db.query('begin')
      try {
        await fillTables(db, round, DAY, [table])
        await db.query('commit')
      } catch (error) {
        await db.query('rollback')
        // A call that meets a deadlock is told to try again, so the writer does.
        if (!/deadlock/.test(String((error as Error).cause))) throw error
      }
    }
  }
  const writeOn = async () => {
    while (!isOver) await write()
  }
  const problem = writeOn().then(
    () => undefined,
    (error: unknown) => error,
  )
  return {
    /** Writes once more, into the new schema. */
    async end() {
      isOver = true
      const problems = [await problem, await write().catch((error: unknown) => error)]
      await db.end()
      return problems.filter((each) => each !== undefined)
    },
  }
}

test('each of the newest versions writes on while the schema becomes that of the next, and afterwards', async () => {
  const database = await emptyDatabase()
  const db = new pg.Client({ connectionString: database.ownerUrl })
  await db.connect()
  await migrate(database.ownerUrl, { upTo: NUMBERS.at(-TRIED_BESIDE_WRITERS - 1) ?? 0 })
  await makeToday(db)
  for (const number of NUMBERS.slice(-TRIED_BESIDE_WRITERS)) {
    await db.query('begin')
    await fillTables(db, number, DAY)
    await db.query('commit')
    const writer = await writerOf(database.ownerUrl)
    await migrate(database.ownerUrl, { upTo: number })
    expect(await writer.end(), `beside ${number}`).toEqual([])
    await makeToday(db)
  }
  await db.end()
  await database.drop()
}, 480_000)
