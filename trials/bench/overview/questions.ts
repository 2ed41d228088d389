import { Agent, get } from 'node:http'
import type pg from 'pg'

/** One answer, read from the product over HTTP and from the tables by a statement written by hand. */
export interface Question {
  readonly name: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** `$1` is the customer, or null for all. */
  readonly sql: string
  readonly ofAnswer: (answer: never) => unknown
  readonly ofRows: (rows: readonly Record<string, unknown>[]) => unknown
}

const ZONE = 'Europe/Prague'
const table = (name: string) => ({ table: name, timeZone: ZONE })
const ONLINE = `exists (select from device_connection c join server_process p on p.id = c.process_id
  where c.device_id = d.id and not c.is_silent and p.lease_until > now())`
const SCOPE = 'd.deleted_at is null and ($1::int is null or d.customer_id = $1)'
const HOT = `select d.id, d.name, (s.fields -> 'internal_temp' ->> 0)::float8 as internal, (s.fields -> 'intake_temp' ->> 0)::float8 as intake
  from device d join device_state s on s.device_id = d.id and s.event_type_id = 4 and s.number = 1
  where ${SCOPE} and d.status_id = 2
    and (s.fields -> 'internal_temp' ->> 1)::float8 > extract(epoch from now() - interval '1 day') * 1000
  order by 3 desc, 1`

const same = (rows: unknown) => rows
type Row = Readonly<Record<string, unknown>>

export const QUESTIONS: readonly Question[] = [
  {
    name: 'tiles',
    path: 'Dashboard/GetDashboardValues',
    query: {},
    sql: `select count(*) filter (where status_id = 2 and ${ONLINE})::int as "DEVICES_ACTIVE",
        count(*) filter (where status_id = 3)::int as "DEVICES_MAINTENANCE",
        count(*) filter (where status_id = 5)::int as "DEVICES_OUT_OF_ORDER",
        count(*) filter (where status_id = 1)::int as "DEVICES_PENDING", count(*)::int as "DEVICES_ALL",
        (select count(distinct device_id)::int from alert a join device d on d.id = a.device_id
         where ${SCOPE} and a.withdrawn_at is null and (
           (a.condition_state_id = 1 and (a.status_id = 1 or a.closed_at >= now() - interval '1 day'))
           or (a.condition_state_id = 2 and a.state_since >= now() - interval '1 day')))
          as "DEVICES_WITH_ALERTS_24H"
      from device d where ${SCOPE}`,
    ofAnswer: (values: readonly { key: string; value: number }[]) =>
      Object.fromEntries(values.map(({ key, value }) => [key, value])),
    ofRows: ([row]) => row,
  },
  {
    name: 'wrong now',
    path: 'Dashboard/GetWrongNow',
    query: {},
    sql: `select count(*) filter (where n.light = 'unplanned')::int as dark, count(*) filter (where n.is_silent)::int as silent,
        count(*) filter (where exists (select from alert a where a.device_id = d.id and a.status_id = 1
          and a.condition_state_id = 1))::int as alerted,
        0 as unanswered, count(*) filter (where n.is_on_battery)::int as "onBattery", 0 as "inMaintenance", 0 as "reportsRefused", 0 as "clockWrong", 0 as restarting, 0 as "identityConflict"
      from device d left join device_now n on n.device_id = d.id where ${SCOPE} and d.status_id = 2`,
    ofAnswer: ({ counts }: { counts: Row }) => counts,
    ofRows: ([row]) => row,
  },
  {
    name: 'ten hottest devices',
    path: 'Dashboard/GetDashboardTable',
    query: table('INTERNAL_TEMPERATURE'),
    sql: `${HOT} limit 10`,
    ofAnswer: (rows: readonly Row[]) => rows.map((row) => [row.device_id, row.internal_temp, row.intake_temp]),
    ofRows: (rows) => rows.map(({ id, internal, intake }) => [id, internal, intake]),
  },
  {
    name: 'open alerts',
    path: 'Dashboard/GetDashboardTable',
    query: table('OPENED_ALERTS'),
    sql: `select a.condition_text, count(distinct a.device_id)::int as count_devices
      from alert a join device d on d.id = a.device_id
      where ${SCOPE} and a.status_id = 1 and a.withdrawn_at is null group by a.field_id, 1 order by 2 desc, 1, a.field_id`,
    ofAnswer: (rows: readonly Row[]) => rows.map((row) => [row.condition_text, row.count_devices]),
    ofRows: (rows) => rows.map((row) => [row.condition_text, row.count_devices]),
  },
  {
    name: 'temperatures of 24 hours',
    path: 'Dashboard/GetDashboardTable',
    query: table('AVG_TEMPERATURE'),
    sql: `select hot.id, day + (hour - 1) * interval '1 hour' as at, mean from (${HOT} limit 3) hot
      join rollup r on r.device_id = hot.id and r.field_id = 4101
      cross join lateral unnest(r.means) with ordinality as h (mean, hour)
      where day + (hour - 1) * interval '1 hour' > now() at time zone 'UTC' - interval '24 hours'
        and day + (hour - 1) * interval '1 hour' <= now() at time zone 'UTC'
      order by hot.internal desc, 1, 2`,
    ofAnswer: (rows: readonly Row[]) => rows.map((row) => [row.device_id, row.internal_temp]),
    ofRows: (rows) => rows.map(({ id, mean }) => [id, mean]),
  },
  {
    name: 'heat map of a year',
    path: 'Dashboard/GetDashboardTable',
    query: table('HEATMAP_ALERTS'),
    sql: `select hn, dwn, count(a.at)::int as count_alerts
      from generate_series(0, 23) hn cross join generate_series(1, 7) dwn
      left join (select a.created_at at time zone '${ZONE}' as at from alert a join device d on d.id = a.device_id
        where ${SCOPE} and a.withdrawn_at is null and a.created_at >= now() - interval '1 year') a
        on extract(isodow from a.at) = dwn and extract(hour from a.at) = hn
      group by 1, 2 order by 2, 1`,
    ofAnswer: same,
    ofRows: same,
  },
]

export interface Request {
  readonly db: pg.Client
  readonly httpUrl: string
  readonly token: string
  readonly customerId: number | null
}

/** Browsers accept these encodings. */
const CODINGS = 'gzip, deflate, br, zstd'
const agent = new Agent({ keepAlive: true })

/** Returns the bytes of the answer: decoding them is not the server's time. */
export function sent(url: string, token: string, coding = CODINGS): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': coding }
  return new Promise((resolve, reject) => {
    const asked = get(url, { headers, agent }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(parts))
        else reject(new Error(`${url} answered ${answer.statusCode}: ${Buffer.concat(parts)}`))
      })
    })
    asked.once('error', reject)
  })
}

/** Returns the answer without compression. */
export const fetched = async <Answer>(url: string, token: string): Promise<Answer> =>
  JSON.parse((await sent(url, token, 'identity')).toString()) as Answer

export const addressOf = (httpUrl: string, path: string, query: Readonly<Record<string, string>>) =>
  `${httpUrl}/api/${path}?${new URLSearchParams(query)}`
