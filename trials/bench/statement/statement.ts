import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { monthAfter } from '#domain/statement/months.ts'
import { count } from '../../frame/options.ts'
import type { Judge } from '../../frame/Run.ts'
import { openTable } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { darkDaysSummed, insertDarkDays } from '../fleet/darkYear.ts'
import { makeFleet } from '../overview/fleet.ts'
import { addressOf, fetched, sent } from '../overview/questions.ts'
import { medianAnd95, times } from '../overview/repeats.ts'

const REPEATS = 9
const DAYS = 400
const FIGURES_MUST_MS = 2_000
const DOCUMENT_MUST_MS = 3_000
const MUST_MEGABYTES = 60
const MEGABYTE = 1024 * 1024

export const statement = describeTrial({
  name: 'statement',
  proves: 'A light statement of a month and its document, for one customer with this many devices.',
  options: { devices: count(400, 'devices') },
  async run(run) {
    const database = await run.database()
    const db = new pg.Client({ connectionString: database.ownerUrl })
    await db.connect()
    const token = () => randomBytes(32).toString('base64url')
    const fleet = await makeFleet(db, { devices: run.options.devices, alerts: 1 }, [token(), token()])
    await db.query(
      `update device set customer_id = $1, status_id = 2, created_at = now() - interval '500 days',
         time_zone = (array['Europe/Oslo', 'Asia/Kathmandu', 'Australia/Lord_Howe'])[id % 3 + 1]`,
      [fleet.customerId],
    )
    await db.query('truncate device_departure')
    await insertDarkDays(db, DAYS)
    await db.query(
      `insert into display_day (device_id, day, number, component_model_id, light, unmetered, unknown_s, heat)
       select id, now()::date - n, 1, 17, array_fill(5000, array[15]), array[40000, 40000, 3000000], 0, array_fill(50, array[28])
       from device, generate_series(1, 62) n`,
    )
    await db.query(`update device_dark_day set causes = array[0, unplanned_min, 0, 0, 0, 0] where unplanned_min > 0`)
    const { httpUrl, worker } = await run.product(database)
    await darkDaysSummed(db)
    await measure(run, { httpUrl, worker, token: fleet.staffToken, customerId: fleet.customerId })
    await db.end()
  },
})

interface Measured {
  readonly httpUrl: string
  readonly worker: { ask<Answer>(question: object): Promise<Answer> }
  readonly token: string
  readonly customerId: number
}

async function measure(run: Judge, { httpUrl, worker, token, customerId }: Measured): Promise<void> {
  const query = { customerId: String(customerId), month: monthAfter(new Date().toISOString().slice(0, 7), -1) }
  const row = openTable(['median ms', 'p95 ms', 'more MB'], 44)
  const figures = addressOf(httpUrl, 'LightStatement/GetStatement', query)
  const { statement: stated } = await fetched<{ statement: { devices: unknown[] } }>(figures, token)
  console.log(`${stated.devices.length} devices`)
  for (const [name, path, mustMs] of [
    ['figures', 'LightStatement/GetStatement', FIGURES_MUST_MS],
    ['document', 'LightStatement/GetDraftDocument', DOCUMENT_MUST_MS],
  ] as const) {
    const address = addressOf(httpUrl, path, query)
    const [spans, more]: [number[], number[]] = [[], []]
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const { bytes: before } = await worker.ask<{ bytes: number }>({ tell: 'memory' })
      spans.push(...(await times(1, () => sent(address, token))))
      const { bytes: peak } = await worker.ask<{ bytes: number }>({ tell: 'peak' })
      more.push(Math.max(0, peak - before) / MEGABYTE)
    }
    const [median = 0, p95 = 0] = medianAnd95(spans)
    const [ofOne = 0] = medianAnd95(more)
    const isKept = median <= mustMs && (name === 'figures' || ofOne <= MUST_MEGABYTES)
    row(
      name,
      [median, p95, ofOne],
      `${run.verdict(`${name} of a month`, isKept)} (must ${mustMs} ms, ${MUST_MEGABYTES} MB)`,
    )
  }
}
