import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { alertPage } from '#contract/http/alerting/alerts.ts'
import type { CustomerId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, ask } from '#server/testing/callers.ts'
import { analyze } from '#server/testing/database/analyze.ts'
import { seededRandom } from '#testing/seededRandom.ts'

type Page = z.output<typeof alertPage>

const NAMES = ['Brno Süd', 'ÆRØ_1', '100 %', 'back\\slash', '東京 🙂', "O'Hara", 'x', 'Σίσυφος']
const WORDS = ['Display: Süd > 40', 'UPS: "100 %" = _', 'Fan 東京 < 3', 'x', 'Back\\Slash', '🙂🙂']

const api = await apiTest()
const { pool } = api
const customers = [await addCustomer(pool, 'A'), await addCustomer(pool, 'B')]
const staff = await api.signedIn({ username: 'staff@a.example', functions: [2] })
const own = { username: 'manager@b.example', functions: [2 as const], customerId: customers[1] as CustomerId }
const tokens = { staff, own: await api.signedIn(own) }

async function addDevices(count: number, names: readonly string[]) {
  await pool.query(
    `insert into device (guid, name, model_id, customer_id, iot_device_id)
     select gen_random_uuid(), ($1::text[])[1 + n % cardinality($1::text[])] || ' ' || n, 1, ($2::int[])[1 + n % 2], ''
     from generate_series(1, $3::int) n`,
    [names, customers, count],
  )
}

let conditions = 0

async function addAlerts(rule: string) {
  conditions += 3
  await pool.query(
    `insert into alert (device_id, condition_id, status_id, condition_state_id, created_at, found_at, field_id,
       operator_code, period_id, action_type_id, condition_text, state_since, withdrawn_at)
     select id, kind, 1 + (id % 3 = 0)::int, 1 + (kind % 2), date_trunc('second', now()) - (id * kind) * interval '1 minute', now(), 4101, 'GT',
       1, 1, ($1::text[])[1 + (id * kind) % 6], now(), case when (id + kind) % 11 = 0 then now() end
     from device, generate_series($2::int - 2, $2::int) kind where ${rule}`,
    [WORDS, conditions],
  )
}

await addDevices(120, NAMES)
await addAlerts('true')
// Some devices go to the other customer under another name, and some of these come back; each alert stays with the
// customer it was raised for.
await pool.query(
  `update device set customer_id = $1::int + $2::int - customer_id, name = 'moved ' || name where id % 10 = 1`,
  customers,
)
await addAlerts('id % 10 = 1')
await pool.query(
  `update device set customer_id = $1::int + $2::int - customer_id, name = 'back' where id % 20 = 1`,
  customers,
)
await pool.query('update device set deleted_at = now() where id % 17 = 0')
await analyze(api, 'device', 'device_departure', 'alert', 'alert_words')

const BY_LOOKING = `select a.id::float8 as id from alert a join device d on d.id = a.device_id
  where d.deleted_at is null and a.withdrawn_at is null and ($2::int is null or a.customer_id = $2)
    and ($3::int is null or a.status_id = $3)
    and (position(lower($1) in lower(a.condition_text)) > 0 or position(lower($1) in lower(
      case when d.customer_id = a.customer_id then d.name else (
        select p.name from device_departure p where p.device_id = a.device_id and p.customer_id = a.customer_id
        order by p.left_at < a.found_at, p.left_at limit 1) end)) > 0)
  order by a.created_at desc, a.id desc`

async function expectSame(text: string, who: keyof typeof tokens, statusId?: number): Promise<number> {
  const customerId = who === 'own' ? customers[1] : null
  const { rows } = await pool.query<{ id: number }>(BY_LOOKING, [text, customerId, statusId ?? null])
  const query = { alertText: text, pageSize: 40, ...(statusId === undefined ? {} : { statusId }) }
  const seen: number[] = []
  let next: string | null = null
  do {
    const asked = next === null ? query : { ...query, next }
    const page = (await ask(api, 'Alert/GetAlertList', { token: tokens[who], query: asked })).json() as Page
    expect(page.total, text).toBe(rows.length > 10_000 ? null : rows.length)
    seen.push(...page.rows.map(({ id }) => id))
    next = seen.length > 200 ? null : page.next
  } while (next !== null)
  expect(seen, text).toEqual(rows.slice(0, seen.length).map(({ id }) => id))
  expect(seen.length).toBeGreaterThanOrEqual(Math.min(200, rows.length))
  return rows.length
}

test('alerts with a text are those that a look at each finds, newest first, for everybody and for one customer', async () => {
  const chance = seededRandom()
  const texts = [...NAMES, ...WORDS, 'moved', 'back', 'nowhere', '%', '_', '\\', '🙂', 'ü', 'SÜ', '1', '0 %']
  let found = 0
  for (const text of texts) {
    const letters = [...text]
    const from = Math.floor(chance() * letters.length)
    for (const each of [text, letters.slice(from, from + 1 + Math.floor(chance() * 4)).join('')]) {
      found += await expectSame(each, 'staff', chance() < 0.3 ? 1 : undefined)
      found += await expectSame(each, 'own', chance() < 0.3 ? 2 : undefined)
    }
  }
  expect(found).toBeGreaterThan(1_000)
})

test('a page by number holds the same as the pages by key', async () => {
  const of = async (query: object) =>
    ((await ask(api, 'Alert/GetAlertList', { token: staff, query: { alertText: 's', ...query } })).json() as Page).rows
  const whole = await of({ pageSize: 100, rowNum: 1 })
  expect(await of({ pageSize: 30, rowNum: 41 })).toEqual(whole.slice(40, 70))
})

test('what more devices are called than are named one by one is found too', async () => {
  await addDevices(2_050, ['Mast'])
  await addAlerts(`name like 'Mast%' and id % 3 = 0`)
  await analyze(api, 'device', 'device_departure', 'alert', 'alert_words')
  expect(await expectSame('MAST', 'staff')).toBeGreaterThan(1_500)
  await expectSame('mast', 'own')
  await expectSame('Mast 4', 'staff', 2)
}, 30_000)
