import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { SignedProof } from '#contract/http/insight/lightProofs.ts'
import { CATEGORY } from '#domain/components/componentFields.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { count } from '../../frame/options.ts'
import { openTable } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { medianAnd95, times } from '../overview/repeats.ts'
import { addUser } from '../query/fleet.ts'

const SHORT_LIST = { plays: 1_000, devices: 20, repeats: 31, mustMs: 50 }
const LONG_LIST = { plays: 100_000, repeats: 5, mustMs: 5_000 }
const WARM_UPS = 10

export const proof = describeTrial({
  name: 'proof',
  proves: 'A thousand and a hundred thousand plays of a day are proved and signed in time.',
  options: { devices: count(100, 'devices') },
  async run(run) {
    const database = await run.database()
    const db = new pg.Client({ connectionString: database.ownerUrl })
    await db.connect()
    const token = randomBytes(32).toString('base64url')
    const endMs = Math.floor(Date.now() / DAY_MS) * DAY_MS
    const ids = await makeDay(db, run.options.devices, endMs - DAY_MS)
    await addUser(db, token)
    await db.query('vacuum analyze')
    const { httpUrl } = await run.product(database)
    const row = openTable(['median ms', 'p95 ms'], 44)
    for (const [name, { plays, repeats, mustMs }, devices] of [
      ['1,000 plays', SHORT_LIST, ids.slice(0, SHORT_LIST.devices)],
      ['100,000 plays', LONG_LIST, ids],
    ] as const) {
      const body = JSON.stringify({ plays: listOf(devices, plays, endMs - DAY_MS) })
      const prove = () => proved(httpUrl, token, body)
      const { proof: answer } = JSON.parse(await prove()) as SignedProof
      const lit = answer.plays.filter(({ verdict }) => verdict === 'lit').length
      console.log(`${name} of ${devices.length} devices: ${lit} lit, ${answer.plays.length - lit} not`)
      if (plays === SHORT_LIST.plays) await times(WARM_UPS, prove)
      const [median = 0, p95 = 0] = medianAnd95(await times(repeats, prove))
      row(name, [median, p95], `${run.verdict(name, p95 <= mustMs)} (must ${mustMs} ms)`)
    }
    await db.end()
  },
})

/** Each display reports once a minute; half of them have a sensor at the panel, and a tenth of the time is dark. */
async function makeDay(db: pg.Client, devices: number, dayMs: number): Promise<readonly number[]> {
  await db.query(`insert into customer (name) values ('Benchmark') on conflict do nothing`)
  const { rows } = await db.query<{ id: number }>(
    `insert into device (guid, name, model_id, customer_id, iot_device_id)
     select gen_random_uuid(), 'Proof ' || n, 22, (select min(id) from customer), '' from generate_series(1, $1::integer) n
     returning id`,
    [devices],
  )
  const ids = rows.map(({ id }) => id)
  await db.query(
    `insert into device_component (device_id, component_model_id, category_id, number) select unnest($1::integer[]), 17, $2, 1`,
    [ids, CATEGORY.display],
  )
  await db.query(
    `insert into reading_display (device_dt, inserted, device_id, number, backlight_level, panel_light)
     select $2::timestamptz + n * interval '1 minute', now(), d, 1, case when n % 100 < 90 then 80 else 0 end,
       case when d % 2 = 0 then case when n % 100 < 90 then 70 else 0 end end
     from generate_series(0, 1439) n, unnest($1::integer[]) d`,
    [ids, new Date(dayMs)],
  )
  return ids
}

/** The plays of each device are spread over the day. */
function listOf(devices: readonly number[], plays: number, dayMs: number): string {
  const each = Math.ceil(plays / devices.length)
  const lines = Array.from({ length: plays }, (_, index) => {
    const fromMs = dayMs + Math.floor((Math.floor(index / devices.length) * (DAY_MS - 20_000)) / each)
    return `${devices[index % devices.length]},1,${new Date(fromMs).toISOString()},15,spot-${index}`
  })
  return `device,display,from,seconds,play\n${lines.join('\n')}`
}

async function proved(httpUrl: string, token: string, body: string): Promise<string> {
  const response = await fetch(`${httpUrl}/api/LightProof/GetProofs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`)
  return text
}
