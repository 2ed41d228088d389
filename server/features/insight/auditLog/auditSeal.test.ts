import type { Socket } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
// This import makes the driver read 64-bit integers as numbers.
import '#server/db/connect/pool.ts'
import { freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { shiftClock } from '#server/testing/shiftClock.ts'
import { passTime } from '#testing/passTime.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { readSealGauges } from './auditSeal.store.ts'
import { auditSealJob } from './auditSealJob.ts'
import { verifyAudit } from './verifyAudit.store.ts'

const running = new AbortController().signal

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: pg.Client
let leftovers: pg.Client[]
let lines: { readonly sentence: string; readonly head?: string }[]
beforeEach(async () => {
  database = await freshDatabase()
  leftovers = []
  lines = []
  owner = await connect()
})
afterEach(async () => {
  for (const client of leftovers) await client.end()
  await database.drop()
})

async function connect(url = database.ownerUrl): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  leftovers.push(client)
  return client
}

/** Makes a job without a memory, like one in a new process. */
const newJob = (rowsOfBlock?: number) => {
  const say = (details: object, sentence: string) => void lines.push({ ...details, sentence })
  return auditSealJob({ info: say, error: say }, rowsOfBlock)
}

async function seal(job = newJob(), on = owner) {
  for (let runs = 0; (await job.run(on, new Date(), running)) !== undefined; runs += 1) expect(runs).toBeLessThan(100)
}

const add = (db: pg.Client, name = 'Pier 4', more = '') =>
  db.query(
    `insert into audit_log (action_id, entity_type_id, entity_id, entity_name, username, address, call, outcome, details, before, after)
     values (2, 1, 7, $1, 'eva@a.example', '10.1.2.3', 'Test', 'done', $2, '{"name": "Old"}', '{"name": "New"}')`,
    [name, more],
  )
const findings = async () => (await verifyAudit(owner)).findings
const numbers = async (sql: string) =>
  (await owner.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => Number(value))

test('rows are sealed once they are committed, in blocks that follow one another, and are as they were sealed', async () => {
  for (let n = 0; n < 25; n += 1) await add(owner, `Pier ${n}`)
  await seal(newJob(10))
  await add(owner)
  await seal()
  const { rows } = await owner.query(
    `select number::int, from_id::int, through_id::int, cardinality(row_ids) as rows from audit_seal order by number`,
  )
  expect(rows).toEqual([
    { number: 1, from_id: 1, through_id: 10, rows: 10 },
    { number: 2, from_id: 11, through_id: 20, rows: 10 },
    { number: 3, from_id: 21, through_id: 25, rows: 5 },
    { number: 4, from_id: 26, through_id: 26, rows: 1 },
  ])
  expect(await verifyAudit(owner)).toMatchObject({ blocks: 4, rows: 26, erased: 0, unsealed: 0, findings: [] })
  await seal()
  expect((await verifyAudit(owner)).blocks).toBe(4)
  expect(lines.filter(({ head }) => head !== undefined)).toHaveLength(4)
})

test('a row that is committed late is sealed before those behind it, and nothing behind it meanwhile', async () => {
  const late = await connect()
  await late.query('begin')
  await add(late, 'late')
  await add(owner, 'soon')
  const job = newJob()
  expect(await job.run(owner, new Date(), running)).toEqual({ againInMs: expect.any(Number) })
  expect(await numbers('select count(*) from audit_seal')).toEqual([0])
  await late.query('commit')
  await seal(job)
  expect(await numbers('select unnest(row_ids) from audit_seal')).toEqual([1, 2])
  expect(await findings()).toEqual([])
})

test('an id that was taken and not used yet holds the seal up, before its transaction has written anything', async () => {
  const late = await connect()
  await owner.query(`
    create table gate ();
    create function wait_here() returns trigger language plpgsql as $$
      begin lock table gate in share mode; return new; end $$;
    create trigger wait_here before insert on audit_log for each row when (new.entity_name = 'held')
      execute function wait_here()`)
  const gate = await connect()
  await gate.query('begin; lock table gate')
  const held = add(late, 'held')
  await eventually(
    () => numbers('select last_value from audit_log_id_seq where is_called'),
    ([id]) => id === 1,
  )
  await add(owner, 'soon')
  const job = newJob()
  expect(await job.run(owner, new Date(), running)).toEqual({ againInMs: expect.any(Number) })
  await gate.query('commit')
  await held
  await seal(job)
  expect(await numbers('select unnest(row_ids) from audit_seal')).toEqual([1, 2])
})

test('a leader that dies between hashing and commit leaves no block, and the next one seals everything', async () => {
  for (let n = 0; n < 12; n += 1) await add(owner, `Pier ${n}`)
  await seal(newJob(5))
  await owner.query(`
    create table gate ();
    create function wait_here() returns trigger language plpgsql as $$
      begin lock table gate in share mode; return new; end $$;
    create trigger wait_here before insert on audit_seal for each row execute function wait_here()`)
  for (let n = 0; n < 7; n += 1) await add(owner, `Late ${n}`)
  const gate = await connect()
  await gate.query('begin; lock table gate')
  const dying = new pg.Client({ connectionString: database.ownerUrl })
  dying.on('error', () => undefined)
  await dying.connect()
  const dies = newJob().run(dying, new Date(), running)
  dies.catch(() => undefined)
  // Its digests are computed, and its block waits to be inserted.
  await eventually(
    () =>
      numbers(
        `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into audit_seal%'`,
      ),
    ([waiting]) => waiting === 1,
  )
  const { stream } = (dying as unknown as { readonly connection: { readonly stream: Socket } }).connection
  stream.destroy()
  await expect(dies).rejects.toThrow()
  await add(owner, 'Meanwhile')
  await gate.query('commit')
  await seal()
  expect(await verifyAudit(owner)).toMatchObject({ rows: 20, unsealed: 0, findings: [] })
  expect(await numbers('select unnest(row_ids) from audit_seal order by number')).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
})

test.each([-365, 365])('a process whose clock is %i days off seals by the time of the database', async (days) => {
  const off = new Date(Date.now() + days * DAY_MS)
  const setRight = shiftClock(days * DAY_MS)
  try {
    await add(owner)
    expect(await newJob().run(owner, off, running)).toBeUndefined()
    expect(await numbers(`select count(*) from audit_seal where now() - sealed_at < interval '1 minute'`)).toEqual([1])
    expect(await verifyAudit(owner)).toMatchObject({ rows: 1, unsealed: 0, findings: [] })
    expect((await readSealGauges(owner)).unsealedSeconds).toBe(0)
  } finally {
    setRight()
  }
})

test('whatever writers do at the same time, every row is sealed once and none is added to a sealed block', async () => {
  const throwDice = seededRandom()
  const random = { below: (count: number) => Math.floor(throwDice() * count) }
  const writers = await Promise.all(Array.from({ length: 12 }, () => connect()))
  let roundsLeft = 30
  const isOver = () => roundsLeft <= 0
  const write = async (db: pg.Client) => {
    while (!isOver()) {
      await db.query('begin')
      for (let rows = 1 + random.below(3); rows > 0; rows -= 1) {
        await db.query('savepoint part')
        await add(db, `${random.below(1000)}`)
        if (random.below(8) === 0) await db.query('rollback to part')
        if (random.below(2) === 0) await passTime(random.below(30), 'a change takes its time')
      }
      await db.query(random.below(4) === 0 ? 'rollback' : 'commit')
    }
  }
  // Two jobs run, as when two processes both believe that they lead.
  const sealing = async () => {
    const on = await connect()
    const job = newJob()
    for (; !isOver(); roundsLeft -= 1) await job.run(on, new Date(), running)
  }
  await Promise.all([...writers.map(write), sealing(), sealing()])
  await seal()
  const verdict = await verifyAudit(owner)
  expect(verdict.findings).toEqual([])
  expect(verdict.unsealed).toBe(0)
  expect(await numbers('select unnest(row_ids) as id from audit_seal order by 1')).toEqual(
    await numbers('select id from audit_log order by 1'),
  )
}, 60_000)

test.each([
  ['a changed text', `update audit_log set details = 'x' where id = 3`, ['Row 3 is changed.']],
  [
    'a changed time',
    `update audit_log set inserted_at = inserted_at + interval '1 us' where id = 3`,
    ['Row 3 is changed.'],
  ],
  ['a changed name', `update audit_log set username = 'adam@a.example' where id = 4`, ['Row 4 is changed.']],
  [
    'a name that looks erased',
    `update audit_log set username = 'Erased', address = '' where id = 4`,
    ['Row 4 is changed.'],
  ],
  ['a row that was taken out', 'delete from audit_log where id = 5', ['Row 5 is missing.']],
  [
    'a row that was put in',
    `delete from audit_log where id = 5; insert into audit_log (id, action_id, entity_type_id, call, outcome)
       overriding system value values (5, 1, 1, 'Test', 'done')`,
    ['Row 5 is changed.'],
  ],
  [
    'a block that was taken out',
    'alter table audit_seal disable trigger all; delete from audit_seal where number = 2',
    ['Block 2 is missing.'],
  ],
  [
    'a block that was put right for a changed row',
    `alter table audit_seal disable trigger all; update audit_log set details = 'x' where id = 3;
     update audit_seal set row_digests[1] = row_digests[2] where number = 2`,
    ['Block 2 (rows 3 to 4): the seal was changed.', 'Row 3 is changed.'],
  ],
  ['salts that were taken away', `delete from audit_salt`, [1, 2, 3, 4, 5, 6].map((id) => `Row ${id} is changed.`)],
])('%s is found', async (_which, tampering, expected) => {
  for (let n = 0; n < 6; n += 1) await add(owner)
  await seal(newJob(2))
  expect(await findings()).toEqual([])
  await owner.query(tampering)
  expect(await findings()).toEqual(expected)
})

test('a row that is put where none was committed is found', async () => {
  await add(owner)
  await owner.query('begin')
  await add(owner)
  await owner.query('rollback')
  await add(owner)
  await seal()
  await owner.query(`insert into audit_log (id, action_id, entity_type_id, call, outcome)
    overriding system value values (2, 1, 1, 'Test', 'done')`)
  expect(await findings()).toEqual(['Row 2 is added after its block was sealed.'])
})

test('an end that was cut off, and one that was sealed anew, are found by a head that was kept', async () => {
  for (let n = 0; n < 6; n += 1) await add(owner)
  const job = newJob(2)
  await seal(job)
  const [number = '', head = ''] = (await verifyAudit(owner)).newest?.split(':') ?? []
  const kept = { number: Number(number), head: head.slice(0, 12) }
  expect(await verifyAudit(owner, kept)).toMatchObject({ findings: [] })
  await owner.query(`alter table audit_seal disable trigger all; delete from audit_seal where number = 3;
    delete from audit_log where id >= 5`)
  expect(await findings()).toEqual([])
  expect((await verifyAudit(owner, kept)).findings).toEqual([
    'Block 3, whose head was kept, is missing: the end of the log was cut off.',
  ])
  await add(owner, 'another')
  await seal()
  expect(await findings()).toEqual([])
  expect((await verifyAudit(owner, kept)).findings).toEqual(['Block 3 does not have the head that was kept.'])
  // The process that had sealed it notices it too.
  await seal(job)
  expect(lines.map(({ sentence }) => sentence).at(-1)).toMatch(/not what it was/)
})

test('the application may read seals and add or change none, and nobody changes one by mistake', async () => {
  await add(owner)
  await seal()
  const application = await connect(database.applicationUrl)
  for (const change of ['update audit_seal set number = 9', 'delete from audit_seal', 'truncate audit_seal']) {
    await expect(application.query(change), change).rejects.toThrow(/permission denied/)
    await expect(owner.query(change), change).rejects.toThrow(/only ever added/)
  }
  const another = `insert into audit_seal (number, from_id, through_id, sealed_at, row_ids, row_digests, head)
    select number + 1, through_id + 1, through_id + 1, now(), '{}', '{}', head from audit_seal`
  await expect(application.query(another)).rejects.toThrow(/permission denied/)
  await expect(application.query('delete from audit_salt')).rejects.toThrow(/permission denied/)
  expect((await verifyAudit(application)).findings).toEqual([])
})

test('what a connection is set to print changes nothing, and the gauges tell what is not sealed', async () => {
  await add(owner)
  expect((await readSealGauges(owner)).newest).toBeUndefined()
  await owner.query(`set timezone = 'Asia/Tokyo'; set datestyle = 'German'; set bytea_output = 'escape'`)
  await seal()
  await owner.query(`reset all`)
  expect(await findings()).toEqual([])
  expect(await readSealGauges(owner)).toMatchObject({ newest: { number: 1, throughId: 1 }, unsealedSeconds: 0 })
  await add(owner)
  await owner.query('select pg_sleep(0.05)')
  expect((await readSealGauges(owner)).unsealedSeconds).toBeGreaterThan(0)
})
