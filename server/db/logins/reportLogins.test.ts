import { readFileSync } from 'node:fs'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import { DEVICE_STATUSES } from '#domain/devices/status.ts'
import type { CustomerId } from '#domain/ids.ts'
import { CITUS_FOLDER } from '#server/testing/database/citusCluster.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { transactionOn } from '../transaction.ts'
import { addReportLogin, dropReportLogin, listReportLogins, provideReportRole } from './reportLogins.ts'

const { database, owner } = await databaseTest()
const [MINE, ALL] = [`grafana_mine_${process.pid}`, `grafana_all_${process.pid}`]
const passwords = new Map<string, string>()

async function connect(login: string, password = passwords.get(login) ?? '') {
  const url = new URL(database.ownerUrl)
  url.username = login
  url.password = password
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function as<Result>(login: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(login)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const add = async (login: string, customerId?: number) =>
  passwords.set(login, await transactionOn(owner, () => addReportLogin(owner, login, customerId as CustomerId)))

/** Of each customer a device with everything that the views show; the third has moved from the second to the first. */
const SEED = `
  insert into customer (id, name) values (71, 'Mine'), (72, 'Theirs');
  insert into device (id, guid, name, customer_id, model_id, status_id, iot_device_id, address)
  values (1, gen_random_uuid(), 'Mine 1', 71, 1, 2, '', 'Mine street'),
    (2, gen_random_uuid(), 'Theirs 2', 72, 1, 2, '', 'Theirs street'),
    (3, gen_random_uuid(), 'Theirs then', 72, 1, 2, '', 'Theirs street');
  insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
    action_type_id, condition_text, metric_value_dec, state_since, severity_id)
  select id, 9000 + id, now(), now(), 4101, 'GT', 10, 1, 1, name || ' is too warm', 20, now(), 1 from device;
  update device set customer_id = 71, name = 'Mine moved', address = '' where id = 3;
  insert into incident_share (incident_id, customer_id, began_at, state_id, severity_id, alert_count, active_count,
    open_count, device_count, place_count, customer_count, cause_device_id, cause_alert_id)
  select device_id, share, now(), 0, 1, 1, 1, 1, 1, 1, 1, device_id, id
  from alert cross join lateral unnest(array[0, customer_id]) share where device_id < 3;
  insert into device_dark_day (device_id, day, unplanned_min, planned_min, lit_min, counted_to)
  select id, current_date + shift, 10 * id, 480, 900, now() from device cross join generate_series(-1, 1) shift;
  insert into rollup (device_id, field_id, day, means, minima, maxima, counts)
  select id, field, current_date, array_fill(id::real, '{24}'), array_fill(0::real, '{24}'), array_fill(9::real, '{24}'),
    array_fill(60, '{23}') || array[null::integer]
  from device cross join unnest(array[4101, 4113, 5102, 5104]) field`

beforeAll(async () => {
  await owner.query(SEED)
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relname ~ '^reading_' and relname <> 'reading_look' and relkind = 'p'`,
  )
  for (const { name } of rows)
    await owner.query(
      `insert into ${name} (device_id, number, device_dt, inserted) select id, 1, now(), now() from device`,
    )
  await owner.query('update reading_display set internal_temp = 40 + device_id')
  await owner.query(`update reading_ups set status = 'OB' where device_id = 2`)
  await add(MINE, 71)
  await add(ALL)
})

const isDistributed = CITUS_FOLDER !== undefined
/** What lies on workers is refused to logins there (decision 400). */
const isRefused = (view: string) => isDistributed && /_reading$|^hourly_value$/.test(view)

const allViewNames = async () =>
  (
    await owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'reports'::regnamespace`,
    )
  ).rows.map(({ name }) => name)
const viewNames = async () => (await allViewNames()).filter((name) => !isRefused(name))

const textOf = async (client: pg.Client, sql: string) => JSON.stringify((await client.query(sql)).rows)

test('every view shows a login the rows of its customer and no others, and all to a login of all', async () => {
  expect(await allViewNames()).toHaveLength(15)
  const names = await viewNames()
  await as(MINE, async (client) => {
    for (const name of names) {
      const text = await textOf(client, `select * from reports.${name}`)
      expect([text.includes('Mine'), text.includes('Theirs')], name).toEqual([true, false])
    }
  })
  await as(ALL, async (client) => {
    for (const name of names) expect(await textOf(client, `select * from reports.${name}`), name).toContain('Theirs')
    for (const name of (await allViewNames()).filter(isRefused))
      await expect(client.query(`select * from reports.${name}`), name).rejects.toThrow(/permission denied/)
  })
})

test('what was before a device moved stays with its customer of that time (rules/permissions 12)', async () => {
  await as(MINE, async (client) => {
    const days = await client.query('select day - current_date as day from dark_day where device_id = 3')
    expect(days.rows).toEqual([{ day: 1 }])
    expect((await client.query('select from alert where device_id = 3')).rowCount).toBe(0)
    if (!isRefused('display_reading'))
      expect((await client.query('select from display_reading where device_id = 3')).rowCount).toBe(1)
  })
  await as(ALL, async (client) => {
    const { rows } = await client.query('select device, customer from alert where device_id = 3')
    expect(rows).toEqual([{ device: 'Theirs then', customer: 'Theirs' }])
  })
})

test('a login of a customer that is no longer active sees nothing, on a connection that is open too', async () => {
  await as(MINE, async (client) => {
    const seen = async () => (await client.query('select from device')).rowCount
    expect(await seen()).toBe(2)
    await owner.query('update customer set is_active = false where id = 71')
    expect(await seen()).toBe(0)
    await owner.query('update customer set is_active = true where id = 71')
    expect(await seen()).toBe(2)
  })
})

test.each([
  ['select * from public.device', /permission denied for table device/],
  ['select * from public.report_scope', /permission denied for view report_scope/],
  ['update public.report_login set customer_id = null', /permission denied/],
  ['insert into reports.device (device) values (1)', /cannot insert|permission denied/],
  ['delete from reports.alert', /cannot delete|permission denied/],
  ['create table reports.mine ()', /permission denied for schema reports/],
  [
    'create function public.mine() returns integer language sql as $$ select 1 $$',
    /permission denied for schema public/,
  ],
  ['create or replace view reports.device as select 1', /permission denied|must be owner/],
  ['set role wayside_app', /permission denied to set role/],
  ['set role wayside_owner', /permission denied to set role/],
  [`set session authorization ${ALL}`, /permission denied to set session authorization/],
  [`grant ${ALL} to ${MINE}`, /permission denied|does not have/],
  [`alter role ${MINE} superuser`, /permission denied/],
  [`alter role ${MINE} connection limit 1000`, /permission denied/],
  [`alter role ${ALL} password 'x'`, /permission denied/],
  [`copy (select 1) to program 'true'`, /permission denied/],
  [`select pg_read_file('PG_VERSION')`, /permission denied/],
  [`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'wayside_owner'`, /permission denied/],
  [`select lo_import('/etc/hostname')`, /permission denied/],
  ['select * from pg_statistic', /permission denied/],
  ['select * from pg_authid', /permission denied/],
  ['select make_report_readings()', /permission denied for table/],
  [`select move_alerts('[]')`, /permission denied for table/],
])('%s is refused', async (sql, refusal) => {
  await as(MINE, async (client) => {
    // A login may leave this setting, so nothing rests on it.
    await client.query('set default_transaction_read_only = off; set search_path = public, reports')
    await expect(client.query(sql)).rejects.toThrow(refusal)
  })
})

test('catalogues tell a login nothing of what the tables hold or others ask', async () => {
  await owner.query('analyze')
  await as(MINE, async (client) => {
    const { rowCount } = await client.query(`select from pg_stats where schemaname = 'public' and tablename = 'device'`)
    expect(rowCount).toBe(0)
    expect(await textOf(client, 'select query from pg_stat_activity')).not.toMatch(/analyze|insert into/)
  })
})

const GUESSES = [
  ['device', 'costs', `device = 'Theirs 2'`, `device = 'Theirs 9'`],
  ['device', 'costs', `address = 'Theirs street'`, `address = 'Another street'`],
  ['device', 'costs', `customer = 'Theirs'`, `customer = 'Another'`],
  ['alert', 'costs', `condition = 'Theirs 2 is too warm'`, `condition = 'Theirs 2 is too cold'`],
  ['alert', 'costs', 'device_id = 2', 'device_id = 9'],
  ['incident', 'costs', 'incident_id = 2', 'incident_id = 9'],
  ['dark_day', 'costs off', 'dark_unplanned_minutes = 20', 'dark_unplanned_minutes = 21'],
  ['dark_day', 'costs off', 'device_id = 2', 'device_id = 9'],
  ['display_reading', 'costs off', 'internal_temp_celsius = 42', 'internal_temp_celsius = 45'],
  ['ups_reading', 'costs off', `status = 'OB'`, `status = 'LB'`],
  ['display_reading', 'costs off', 'device_id = 2', 'device_id = 9'],
  ['hourly_value', 'costs off', 'mean = 2', 'mean = 4'],
  ['hourly_value', 'costs off', 'device_id = 2 and day = current_date', 'device_id = 9 and day = current_date'],
] as const

test.each(GUESSES.filter(([view]) => !isRefused(view)))(
  'a plan of %s with %s does not tell whether a guess of theirs is right: %s',
  async (view, costs, right, wrong) => {
    await owner.query('analyze')
    await as(MINE, async (client) => {
      const planOf = async (guess: string) =>
        (
          await textOf(
            client,
            `explain (analyze, ${costs}, timing off, summary off, buffers off) select * from ${view} where ${guess}`,
          )
        ).replaceAll(/'[^']*'::text|(?<== )'?\d+'?(::\w+( \w+)*)?/g, 'guess')
      expect(await planOf(right)).toEqual(await planOf(wrong))
    })
  },
)

test.skipIf(isDistributed)(
  'no function, error, order or worker of a login meets a row of another customer',
  async () => {
    await as(MINE, async (client) => {
      const told: string[] = []
      client.on('notice', ({ message }) => told.push(message ?? ''))
      await client.query('set default_transaction_read_only = off; set search_path = pg_temp, reports')
      await client.query(`create function pg_temp.tell(word text) returns boolean language plpgsql cost 0.0000001
        as $$ begin raise notice '%', word; return true; end $$;
      create operator pg_temp.<<< (rightarg = text, function = pg_temp.tell)`)
      for (const name of await viewNames())
        await client.query(`select from reports.${name} v where pg_temp.tell(v::text)`)
      await client.query('select from reports.device where operator(pg_temp.<<<) device')
      expect(told.length).toBeGreaterThan(20)
      expect(told.filter((word) => word.includes('Theirs'))).toEqual([])
      await client.query(`select 1 / (case when device like 'Theirs%' then 0 else 1 end) from reports.device`)
      await client.query(`select from reports.device where 1 / (case when device like 'Theirs%' then 0 else 1 end) = 1`)
      // Names of the login's own stand for nothing in the views.
      await client.query('create temp table report_scope (customer_id integer, customer text, share_id integer)')
      await client.query(`insert into report_scope values (72, 'Theirs', 72)`)
      await client.query('set debug_parallel_query = on; set role none')
      expect((await client.query('select distinct customer from reports.device')).rows).toEqual([{ customer: 'Mine' }])
    })
  },
)

test('a login begins with limits, and may open only some connections', async () => {
  await as(MINE, async (client) => {
    const { rows } = await client.query(
      `select current_setting('transaction_read_only') as reads, current_setting('statement_timeout') as timeout,
         current_setting('work_mem') as memory, rolconnlimit as connections from pg_roles where rolname = current_user`,
    )
    expect(rows).toEqual([{ reads: 'on', timeout: '30s', memory: '16MB', connections: 10 }])
  })
})

test('a login is rotated, listed, made again in another cluster, and dropped', async () => {
  const login = `grafana_third_${process.pid}`
  await add(login, 72)
  const first = passwords.get(login)
  passwords.set(login, await transactionOn(owner, () => provideReportRole(owner, login)))
  await expect(connect(login, first)).rejects.toThrow(/password authentication failed/)
  expect(await as(login, (client) => textOf(client, 'select device from device'))).toBe('[{"device":"Theirs 2"}]')
  await owner.query(`drop owned by ${login}; drop role ${login}`)
  expect(await listReportLogins(owner)).toContainEqual(
    expect.objectContaining({ login, customer: 'Theirs', hasRole: false, connections: 0 }),
  )
  passwords.set(login, await transactionOn(owner, () => provideReportRole(owner, login)))
  await as(login, async (client) => {
    expect(await transactionOn(owner, () => dropReportLogin(owner, login))).toBe(true)
    expect((await client.query('select from reports.device').catch(() => ({ rowCount: 0 }))).rowCount).toBe(0)
  })
  await expect(connect(login)).rejects.toThrow()
  expect((await listReportLogins(owner)).map((each) => each.login)).toEqual([ALL, MINE])
})

test('no login is made where everybody may read more than the views, nor by the name of another role', async () => {
  const login = `grafana_late_${process.pid}`
  const refused = () => transactionOn(owner, () => addReportLogin(owner, login, undefined)).then(String, String)
  await owner.query('grant select (name) on customer to public')
  expect(await refused()).toContain('Everybody may read or change customer in this database')
  await owner.query('revoke select (name) on customer from public; grant create on schema public to public')
  expect(await refused()).toContain('Everybody may create something in the schema public')
  await owner.query('revoke create on schema public from public')
  await expect(add('wayside_app')).rejects.toThrow(/cannot be a login for Grafana/)
  await expect(add(MINE)).rejects.toThrow(`There is a role ${MINE} already.`)
  expect((await owner.query('select from pg_roles where rolname = $1', [login])).rowCount).toBe(0)
})

const UNITS: Readonly<Record<string, string>> = {
  ...{ '°C': 'celsius', '%': 'percent', rpm: 'rpm', lux: 'lux', V: 'volts', dBm: 'dbm', MB: 'megabytes', fps: 'fps' },
  ...{ s: 'seconds', kWh: 'kilowatt_hours', W: 'watts', 'kB/s': 'kilobytes_per_second' },
}

function reportName(name: string, unit: string | undefined): string {
  const ending = unit === undefined ? '' : `_${UNITS[unit]}`
  return /^\d/.test(name) ? `button${name}` : name.endsWith(ending) ? name : name + ending
}

test('the views have every field of the catalogue, with its unit; a migration adds what is missing', async () => {
  const wanted = NUMBERED_FIELDS.map(({ id, type, number, field }) => ({
    ...{ field_id: id, component: type.topic.replaceAll('-', '_'), number, stored_as: field.name },
    ...{ name: reportName(field.name, field.unit), unit: field.unit ?? '' },
  }))
  const { rows } = await owner.query('select * from report_field order by field_id')
  const missing = wanted.filter(({ field_id }) => !rows.some((row) => row.field_id === field_id && row.number === 1))
  const statements = missing.map(
    ({ field_id, component, stored_as, unit }) =>
      `select add_report_fields(${Math.floor(field_id / 1000)}, '${component}', …, '${stored_as}:${unit}')`,
  )
  expect(rows, `${statements.join('\n')}\nselect make_report_readings()`).toEqual(
    wanted.sort((a, b) => a.field_id - b.field_id),
  )
  const columns = await owner.query<{ view: string; name: string }>(
    `select table_name as view, column_name as name from information_schema.columns where table_schema = 'reports'`,
  )
  const has = new Set(columns.rows.map(({ view, name }) => `${view}.${name}`))
  expect(wanted.filter(({ component, name }) => !has.has(`${component}_reading.${name}`))).toEqual([])
})

test('status and severity are the words of the console', async () => {
  for (const [name, words] of [
    ['device', DEVICE_STATUSES],
    ['alert', SEVERITIES],
    ['incident', SEVERITIES],
  ] as const) {
    const { rows } = await owner.query<{ text: string }>(`select pg_get_viewdef('reports.${name}'::regclass) as text`)
    for (const word of words) expect(rows[0]?.text).toContain(`WHEN ${word.id} THEN '${word.name}'`)
  }
})

const FLEET = new URL('../../../deploy/grafana/wayside-fleet.json', import.meta.url)

interface Dashboard {
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string; readonly allValue?: string }[]
  }
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly rawSql: string }[] }[]
}

/** Fills a query in as Grafana's PostgreSQL data source does. */
function filled(sql: string, chosen: Readonly<Record<string, string>>): string {
  const [from, to] = [-7, 1].map((days) => `'${new Date(Date.now() + days * 86_400_000).toISOString()}'`)
  return sql
    .replaceAll(/\$__timeGroupAlias\(([^,]*), \$__interval\)/g, 'floor(extract(epoch from $1)/300)*300 AS "time"')
    .replaceAll(/\$__timeFilter\(([^)]*)\)/g, `$1 BETWEEN ${from} AND ${to}`)
    .replaceAll(/\$__time\(([^)]*)\)/g, '$1 AS "time"')
    .replaceAll('$__timeFrom()', from ?? '')
    .replaceAll('$__timeTo()', to ?? '')
    .replaceAll(/\$(customer|device)\b/g, (_, name: string) => chosen[name] ?? '')
}

test.skipIf(isDistributed)('every query of the dashboard runs as a login and answers within its scope', async () => {
  const { panels, templating } = JSON.parse(readFileSync(FLEET, 'utf8')) as Dashboard
  const all = Object.fromEntries(templating.list.map(({ name, allValue = '' }) => [name, allValue]))
  const variables = templating.list.slice(1).map(({ name, query }) => ({ title: name, targets: [{ rawSql: query }] }))
  await as(MINE, async (client) => {
    for (const { title, targets } of [...variables, ...panels])
      for (const { rawSql } of targets)
        for (const chosen of [all, { customer: `'Mine','Theirs'`, device: `'Mine 1','Theirs 2'` }]) {
          const sql = filled(rawSql, chosen)
          expect(sql).not.toContain('$')
          const { rows } = await client.query(sql)
          expect(rows.length, title).toBeGreaterThan(0)
          expect(JSON.stringify(rows), title).not.toContain('Theirs')
        }
    const chart = panels.find(({ title }) => title === 'Temperature of displays')?.targets[0]?.rawSql ?? ''
    expect((await client.query(filled(chart, all))).rowCount, 'hours without readings have no row').toBe(2 * 23)
  })
})
