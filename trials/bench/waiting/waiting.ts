import { availableParallelism } from 'node:os'
import pg from 'pg'
import { waitingJob } from '#server/darkness/waiting/waitingJob.ts'
import { count } from '../../frame/options.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'

const ROUNDS = 7
const MUST_ROUND_MS = 1_000
const CUSTOMERS = 50

/** Inserts the conditions of a fleet: for each model, a customer and a tag; both kinds. */
const CONDITIONS = `
  insert into alert_condition (kind, minutes, field_id, operator_code, value_dec, effective_at, model_id, customer_id, tag, tag_key)
  select kind, 30, case kind when 'silent' then 1 else 2 end, 'GTE', 30, now() - interval '1 day', model_id, customer_id, tag, tag
  from unnest(array['silent', 'dark']) kind,
    lateral (values (1, null::int, null::text), (15, null, null), (16, null, null), (22, null, null),
      (null, (select min(id) from customer), null), (null, null, 'quay')) place (model_id, customer_id, tag)`

export const waiting = describeTrial({
  name: 'waiting',
  proves: 'A round of the job that judges silence and darkness, against one count of all devices by hand.',
  options: { devices: count(100_000, 'devices') },
  async run(run) {
    const { devices } = run.options
    const database = await run.database()
    const db = new pg.Client({ connectionString: database.ownerUrl })
    await db.connect()
    console.log(`${availableParallelism()} cores, Node ${process.versions.node}; ${devices} devices`)
    await makeFleet(db, devices)
    const row = openTable(['round ms', 'longest ms', 'count ms', 'silent', 'alerts now'], 44)
    const measure = async (name: string, isJudged = true) => {
      // A new leader begins here: its first round reads everything.
      const job = waitingJob(() => undefined)
      const rounds: number[] = []
      const counts: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push(await timed(() => Promise.resolve(job.run(db, new Date(), new AbortController().signal))))
        counts.push(await timed(() => db.query('select count(*), count(nullif(name, $1)) from device', ['x'])))
      }
      const { rows } = await db.query<{ silent: number; alerts: number }>(
        `select (select count(*)::int from device) - (select count(*)::int from device_connection) as silent,
           (select count(*)::int from alert where condition_state_id = 1) as alerts`,
      )
      const middle = quantile(rounds, 0.5)
      const verdict = isJudged ? `${run.verdict(name, middle <= MUST_ROUND_MS)} (must ${MUST_ROUND_MS} ms)` : ''
      row(
        name,
        [middle, Math.max(...rounds), quantile(counts, 0.5), rows[0]?.silent ?? 0, rows[0]?.alerts ?? 0],
        verdict,
      )
    }
    await measure('one in a hundred is silent')
    await db.query(`delete from device_connection where device_id % 10 = 0`)
    await note(db, 'device_id % 10 = 0', false, '10 minutes')
    await measure('one in ten, for ten minutes')
    await db.query(`update device_presence_history set at = at - interval '25 minutes' where reason = 'bench'`)
    await measure('one in ten, for long enough: alerts open')
    await db.query(`insert into device_connection (device_id, connection_id, process_id)
      select id, gen_random_uuid(), (select id from server_process limit 1) from device d
      where not exists (select from device_connection c where c.device_id = d.id)`)
    await note(db, 'device_id % 10 = 0', true, '0 minutes')
    await measure('all are back: alerts are over')
    await db.end()
  },
})

async function makeFleet(db: pg.Client, devices: number): Promise<void> {
  await db.query(`insert into customer (name) select 'Customer ' || n from generate_series(1, $1::int) n`, [CUSTOMERS])
  await db.query(
    `insert into device (guid, name, model_id, customer_id, iot_device_id, status_id, tags, tag_keys)
     select gen_random_uuid(), 'Device ' || n, (array[1, 15, 16, 22])[n % 4 + 1],
       (select min(id) from customer) + n % $2::int, '', 2, given.tags, given.tags
     from generate_series(1, $1::int) n, lateral (select case when n % 50 = 0 then array['quay'] else '{}' end) given (tags)`,
    [devices, CUSTOMERS],
  )
  await db.query(`insert into server_process (id, lease_until) values (gen_random_uuid(), now() + interval '1 day')`)
  await db.query(`insert into device_connection (device_id, connection_id, process_id)
    select id, gen_random_uuid(), (select id from server_process limit 1) from device where id % 100 <> 3`)
  await db.query(`insert into device_presence_history (device_id, at, is_online, reason)
    select id, now() - n * interval '1 hour' - interval '2 hours', n % 2 = 0, 'connected' from device, generate_series(0, 9) n`)
  await note(db, 'device_id % 100 = 3', false, '5 minutes')
  await db.query(`delete from device_now;
    insert into device_now (device_id, light, light_since)
    select id, case when id % 200 = 0 then 'unplanned' else 'lit' end, now() - interval '10 minutes' from device`)
  await db.query(CONDITIONS)
  await db.query('analyze')
}

/** Their presence changed that long ago. */
const note = (db: pg.Client, which: string, isOnline: boolean, ago: string) =>
  db.query(
    `insert into device_presence_history (device_id, at, is_online, reason)
     select device_id, now() - $1::interval, $2, 'bench' from (select id as device_id from device) d where ${which}`,
    [ago, isOnline],
  )

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now()
  await work()
  return performance.now() - beganAt
}
