import { availableParallelism } from 'node:os'
import pg from 'pg'
import { transactionOn } from '#server/db/transaction.ts'
import { foldDue } from '#server/incidents/foldDue.ts'
import { count } from '../../frame/options.ts'
import { openTable } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'

const MUST_FOLD_MS = 2_000
const CUSTOMERS = 50
const DEVICES = 100_000

export const incidents = describeTrial({
  name: 'incidents',
  proves: 'Folding many alerts at once into incidents, against writing as many rows by hand.',
  options: { alerts: count(10_000, 'alerts') },
  async run(run) {
    const { alerts } = run.options
    const database = await run.database()
    const db = new pg.Client({ connectionString: database.ownerUrl })
    await db.connect()
    console.log(`${availableParallelism()} cores, Node ${process.versions.node}; ${DEVICES} devices, ${alerts} alerts`)
    await makeFleet(db)
    const row = openTable(['fold ms', 'rows ms', 'ratio', 'incidents', 'largest'], 44)
    const measure = async (name: string) => {
      const rowsMs = await timed(() =>
        db.query(
          `create temp table by_hand on commit preserve rows as
           select device_id, alert_id, clock_timestamp() as at, 'x' as place from incident_due`,
        ),
      )
      await db.query('drop table by_hand')
      const foldMs = await timed(async () => {
        while ((await transactionOn(db, () => foldDue(db))).hasMore);
      })
      const { rows } = await db.query<{ incidents: number; largest: number }>(
        `select count(*)::int as incidents, max(alert_count) as largest from incident_share where customer_id = 0`,
      )
      const verdict = `${run.verdict(name, foldMs <= MUST_FOLD_MS)} (must ${MUST_FOLD_MS} ms)`
      row(name, [foldMs, rowsMs, foldMs / rowsMs, rows[0]?.incidents ?? 0, rows[0]?.largest ?? 0], verdict)
    }
    await raise(db, alerts, { fieldId: 1, apartSeconds: 100 / alerts, minutesAgo: 30 })
    await measure('a network goes away')
    await end(db, 'field_id = 1')
    await measure('it comes back')
    await raise(db, alerts, { fieldId: 4101, apartSeconds: 0.36, minutesAgo: 300 })
    await measure('a heat wave: each device by itself')
    await raise(db, alerts, { fieldId: 5101, apartSeconds: 0.01, minutesAgo: 600 })
    await measure('what fed all of them was off before')
    await db.end()
  },
})

async function makeFleet(db: pg.Client): Promise<void> {
  await db.query(`insert into customer (name) select 'Customer ' || n from generate_series(1, $1::int) n`, [CUSTOMERS])
  // Each site has four, 1.1 km from the next.
  await db.query(
    `insert into device (guid, name, model_id, customer_id, iot_device_id, status_id, latitude, longitude)
     select gen_random_uuid(), 'Device ' || n, 1, (select min(id) from customer) + (n / 4) % $2::int, '', 2,
       (n / 4 % 250) * 0.01, (n / 4 / 250) * 0.01
     from generate_series(1, $1::int) n`,
    [DEVICES, CUSTOMERS],
  )
  await db.query('analyze')
}

interface Raised {
  readonly fieldId: number
  readonly apartSeconds: number
  readonly minutesAgo: number
}

const raise = (db: pg.Client, alerts: number, { fieldId, apartSeconds, minutesAgo }: Raised) =>
  db.query(
    `with chosen as (
       select d.id, now() - make_interval(mins => $4::int) + make_interval(secs => $3::float8 * row_number() over (order by d.id)) as at
       from device d where d.deleted_at is null order by d.id limit $1),
     opened as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, state_since)
       select id, $2::int + $4::int, at, at, $2::int, 'GT', 5, 1, 1, 'It is so', at from chosen returning device_id, id, created_at),
     told as (
       insert into alert_event (device_id, alert_id, kind, at) select device_id, id, 'opened', created_at from opened)
     insert into incident_due (device_id, alert_id) select device_id, id from opened`,
    [alerts, fieldId, apartSeconds, minutesAgo],
  )

const end = (db: pg.Client, which: string) =>
  db.query(
    `with told as (
       insert into alert_event (device_id, alert_id, kind, at)
       select device_id, id, 'notActive', now() from alert where ${which} returning device_id, alert_id)
     insert into incident_due (device_id, alert_id) select device_id, alert_id from told`,
  )

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}
