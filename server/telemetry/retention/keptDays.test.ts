import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { findOldDayTables } from '#server/db/partitions/oldPartitions.ts'
import { CITUS_FOLDER } from '#server/testing/database/citusCluster.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { passTime } from '#testing/passTime.ts'
import { orphanedStateJob } from '../state/orphanedState.ts'
import { newDaysJob, oldDaysJob } from './keptDays.ts'

const RETENTION_DAYS = WEEK_DAYS - 1

let database: FreshDatabase
const clients: pg.Client[] = []
beforeEach(async () => {
  database = await freshDatabase({ keptDays: WEEK_DAYS })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()))
  await database.drop()
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  clients.push(client)
  return client
}

test('a day stays until its readings are in the current state', async () => {
  const owner = await connect()
  const now = new Date()
  const oldDays = oldDaysJob({
    retentionDays: RETENTION_DAYS - 1,
    log: { info: () => undefined },
    onTrouble: () => undefined,
  })
  const at = new Date(now.getTime() - (RETENTION_DAYS + 1) * DAY_MS)
  await owner.query('insert into reading_ups (device_dt, inserted, device_id, number, load) values ($1, $1, 1, 1, 7)', [
    at,
  ])
  await owner.query(`insert into state_mark values (1, 5, 1, $1, '{4}', 0, 0)`, [at])
  const readings = async () => (await owner.query('select from reading_ups')).rowCount
  await oldDays.run(owner, now, new AbortController().signal)
  expect(await readings()).toBe(1)
  await owner.query('insert into state_session (id) overriding system value values (0)')
  await orphanedStateJob.run(owner, now, new AbortController().signal)
  await oldDays.run(owner, now, new AbortController().signal)
  expect(await readings()).toBe(0)
  const { rows } = await owner.query('select fields from device_state')
  expect(rows).toEqual([{ fields: { load: [7, at.getTime()] } }])
})

test('a lost connection is no trouble with old days, and a lock that is not given is', async () => {
  const [dropper, next, reader] = [await connect(), await connect(), await connect()]
  const now = new Date()
  const troubles: (string | undefined)[] = []
  const job = oldDaysJob({
    retentionDays: RETENTION_DAYS,
    log: { info: () => undefined },
    onTrouble: (words) => troubles.push(words),
  })
  const { rows } = await dropper.query<{ pid: number }>('select pg_backend_pid() as pid')
  await reader.query('begin; lock table rollup_state')
  dropper.on('error', () => undefined)
  // The job is awaited from here on, because it may fail before the query that ended its connection returns.
  const isLost = expect(job.run(dropper, now, new AbortController().signal)).rejects.toThrow()
  const waits = async () =>
    (await next.query(`select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`, [rows[0]?.pid]))
      .rowCount
  await eventually(waits, (count) => count === 1)
  await next.query('select pg_terminate_backend($1::integer)', [rows[0]?.pid])
  await isLost
  await reader.query('commit')
  expect(troubles).toEqual([])
})

// Citus detaches at once or not at all, so that no day is ever on its way out.
test.skipIf(CITUS_FOLDER !== undefined)(
  'whoever makes days waits for whoever drops them, and takes no day for unfinished that is on its way out',
  async () => {
    const [dropper, maker, reader] = [await connect(), await connect(), await connect()]
    const now = new Date()
    const running = new AbortController().signal
    const troubles: string[] = []
    await reader.query('begin isolation level repeatable read; select count(*) from reading_ups')
    const dropping = oldDaysJob({
      retentionDays: RETENTION_DAYS,
      log: { info: () => undefined },
      onTrouble: (words) => troubles.push(...(words === undefined ? [] : [words])),
    }).run(dropper, now, running)
    const isOnItsWay = async () =>
      (await findOldDayTables(maker, now, RETENTION_DAYS)).some(({ state }) => state === 'pending')
    await eventually(isOnItsWay, Boolean)
    const making = newDaysJob(RETENTION_DAYS).run(maker, now, running)
    await passTime(200, 'in which days would be made')
    await reader.query('commit')
    await Promise.all([dropping, making])
    expect(troubles).toEqual([])
    expect(await findOldDayTables(maker, now, RETENTION_DAYS)).toEqual([])
  },
)
