import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { SECOND_MS } from '#domain/units/time.ts'
import type { Judge } from '../../frame/Run.ts'
import { openTable } from '../../frame/table.ts'
import { addressOf, fetched, sent } from '../overview/questions.ts'
import { medianAnd95, times } from '../overview/repeats.ts'

const SUMMED_WITHIN_MS = 900 * SECOND_MS
const DEVICES_AT_ONCE = 5_000
const REPEATS = 20
const WARM_UPS = 3
const MUST_MS = 150
const PERIODS = [1, 7, 30, 365]

/** Inserts days of every device as the job of dark minutes leaves them: one in a hundred had darkness. */
export async function insertDarkDays(db: pg.Client, days: number): Promise<void> {
  await db.query(`insert into device_component (device_id, component_model_id, category_id, number)
    select id, 17, 6, 1 from device`)
  const { rows } = await db.query<{ least: number; most: number }>(
    'select min(id) as least, max(id) as most from device',
  )
  const { least = 0, most = -1 } = rows[0] ?? {}
  for (let from = least; from <= most; from += DEVICES_AT_ONCE) {
    await db.query(
      `insert into device_dark_day (device_id, day, unplanned_min, planned_min, lit_min, lit_in_off_min, counted_to)
       select id, current_date - n, dark, 0, 1440 - dark, 0, least(now(), current_date - n + interval '1 day')
       from device, generate_series(0, $1::integer - 1) n,
         lateral (select case when hashint8(id * 1000::bigint + n) % 100 = 0 then 10 + abs(hashint4(id)) % 300 else 0 end) d (dark)
       where id between $2 and $3`,
      [days, from, Math.min(most, from + DEVICES_AT_ONCE - 1)],
    )
  }
  await db.query('vacuum analyze device_dark_day')
}

/** Waits until the leading process has summed every customer once. @returns seconds that it took */
export async function darkDaysSummed(db: pg.Client): Promise<number> {
  const beganAt = performance.now()
  for (;;) {
    const { rows } = await db.query<{ left: number }>(
      'select count(*)::integer as left from customer where id not in (select customer_id from dark_summed)',
    )
    if (rows[0]?.left === 0) return (performance.now() - beganAt) / SECOND_MS
    if (performance.now() - beganAt > SUMMED_WITHIN_MS) throw new Error('Dark days were not summed.')
    await sleep(SECOND_MS / 2)
  }
}

export async function measureAvailability(judge: Judge, asked: readonly { who: string; token: string }[], url: string) {
  console.log('\nAvailability')
  const row = openTable(['median ms', 'p95 ms', 'devices'], 44)
  for (const { who, token } of asked) {
    for (const days of PERIODS) {
      const [from, to] = [daysAgo(days - 1), daysAgo(0)]
      const address = addressOf(url, 'Dashboard/GetAvailability', { dateFrom: from, dateTo: to })
      const { total } = await fetched<{ total: { devices: number } }>(address, token)
      await times(WARM_UPS, () => sent(address, token))
      const [median = 0, p95 = 0] = medianAnd95(await times(REPEATS, () => sent(address, token)))
      const name = `${days} days for ${who}`
      row(
        name,
        [median, p95, total.devices],
        `${judge.verdict(`availability of ${name}`, median <= MUST_MS)} (must ${MUST_MS} ms)`,
      )
    }
  }
}

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * SECOND_MS).toISOString().slice(0, 10)
