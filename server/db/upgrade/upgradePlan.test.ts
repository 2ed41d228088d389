import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { HOUR_MS } from '#domain/units/time.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { migrate } from './migrate.ts'
import { type Migration, migrationOf, readMigrations } from './migrationFiles.ts'
import { readUpgradePlan } from './upgradePlan.ts'

const { database, owner } = await databaseTest('empty')
const own = await readMigrations()
const newest = own.at(-1)?.number ?? 0

test('an empty database gets them all, and nothing is done', async () => {
  const plan = await readUpgradePlan(owner, own)
  expect(plan).toMatchObject({ at: 0, newest, refusal: undefined, noWayBack: undefined, ahead: [], neededBytes: 0 })
  expect(plan.planned.map(({ fileName }) => fileName)).toEqual(own.map(({ fileName }) => fileName))
  expect((await owner.query('select from pg_class where relnamespace = $1::regnamespace', ['public'])).rowCount).toBe(0)
})

test('from each schema that landed, what is planned is what then runs', async () => {
  for (const { number, fileName } of own) {
    const plan = await readUpgradePlan(owner, own)
    expect([plan.at, plan.planned[0]?.fileName]).toEqual([
      own[own.findIndex((each) => each.number === number) - 1]?.number ?? 0,
      fileName,
    ])
    await migrate(database.ownerUrl, { upTo: number })
  }
  expect(await readUpgradePlan(owner, own)).toMatchObject({ at: newest, planned: [], noWayBack: undefined })
})

const next = (needs: number, sql: string): Migration => ({ ...migrationOf('9001_next.sql', sql), needs })

test('work on tables with rows is named with its size and time, and what needs the disk is summed up', async () => {
  await owner.query(
    `insert into audit_log (action_id, entity_type_id, call, outcome) select 1, 1, md5(n::text), 'done'
     from generate_series(1, 5000) n`,
  )
  const sql = `-- expand: found by their call
    create index on audit_log (call); alter table audit_log add column more text; create index on notification (id)`
  const { planned, neededBytes } = await readUpgradePlan(owner, [...own, next(newest, sql)])
  expect(planned).toMatchObject([
    { fileName: '9001_next.sql', title: 'found by their call', works: [{ table: 'audit_log', kind: 'reads' }] },
  ])
  const [work] = planned[0]?.works ?? []
  expect(work?.bytes).toBeGreaterThan(300_000)
  expect(work?.bytes).toBe(neededBytes)
  expect(work?.ms).toBeGreaterThan(0)
})

test('the program before can be put back unless a migration needs more than it knows, or it is from before that was told', async () => {
  const planOf = (needs: number) => readUpgradePlan(owner, [...own, next(needs, '-- expand: nothing\nselect 1')])
  expect((await planOf(newest)).noWayBack).toBeUndefined()
  expect((await planOf(newest + 1)).noWayBack).toBe('9001_next.sql')
  await owner.query('alter table migration rename needs to kept')
  onTestFinished(async () => {
    await owner.query('alter table migration rename kept to needs')
  })
  expect((await planOf(newest)).noWayBack).toBe('9001_next.sql')
})

test('a newer database, and an edited migration, are told as they would be at the start', async () => {
  const later = `insert into migration (number, file_name, checksum, needs) values (9002, '9002_later.sql', 'x', 9001)`
  await owner.query(later)
  onTestFinished(async () => {
    await owner.query('delete from migration where number = 9002')
  })
  expect((await readUpgradePlan(owner, own)).refusal).toContain('9002_later.sql, which needs a program that knows 9001')
  await owner.query('update migration set needs = $1 where number = 9002', [newest])
  expect(await readUpgradePlan(owner, own)).toMatchObject({
    refusal: undefined,
    planned: [],
    ahead: ['9002_later.sql'],
  })
  const edited = own.map((each, index) => (index === 3 ? { ...each, checksum: 'another' } : each))
  expect((await readUpgradePlan(owner, edited)).refusal).toContain('was changed after it ran')
})

test('transactions that have been open for long are named', async () => {
  const other = new pg.Client({ connectionString: database.ownerUrl, application_name: 'long report' })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query('begin')
  await other.query('select 1')
  expect((await readUpgradePlan(owner, own, -HOUR_MS)).openTransactions).toMatchObject([{ application: 'long report' }])
  expect((await readUpgradePlan(owner, own)).openTransactions).toEqual([])
})
