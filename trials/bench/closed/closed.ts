import { join } from 'node:path'
import pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { closeDays } from '#server/telemetry/closed/closeDays.ts'
import { packed } from '#server/telemetry/closed/closedFile.ts'
import { decodeDay } from '#server/telemetry/closed/decodeDay.ts'
import { encodeDay } from '#server/telemetry/closed/encodeDay.ts'
import { count, oneOf, type Values } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { openTable } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { fillDay, type Shape } from './dayOfReports.ts'
import { readYear } from './readYear.ts'
import { bytesInVictoriaMetrics, type NamedDay } from './victoriaMetrics.ts'

/** What VictoriaMetrics 1.79.5 needed for a number of the agent's stream with its index, where it is not here. */
const KNOWN_BYTES = 0.452
const AIM_PART = 0.75
const DAYS_AGO = 10

const OPTIONS = { devices: count(12, 'devices'), only: oneOf(['bytes', 'year'], 'one part') }

type Chosen = Values<typeof OPTIONS>

export const closed = describeTrial({
  name: 'closed',
  proves: 'Closed days with their keys take no more bytes a number than a database for time series with its index.',
  options: OPTIONS,
  brief: { devices: 1, only: 'bytes' },
  async run(run) {
    if (run.options.only !== 'bytes') await readYear(run)
    if (run.options.only === 'year') return
    const row = openTable(
      ['numbers', 'open B', 'encode µs', 'decode µs', 'a field µs', 'close s', 'closed B', 'Victoria B', 'of it data'],
      10,
    )
    for (const shape of ['agent', 'minute', 'walk'] as const) {
      const { bytes, cells, beside } = await measure(run, shape)
      const isBeside = typeof beside !== 'string'
      if (!isBeside && shape === 'agent') console.log(`VictoriaMetrics was not measured: ${beside}`)
      // Both with what finds them again: ours with heap, key and TOAST, theirs with its index.
      const mustBytes = isBeside ? beside.all : KNOWN_BYTES
      const verdict =
        shape === 'agent'
          ? `${run.verdict('bytes of the agent', bytes <= mustBytes, bytes <= mustBytes * AIM_PART)} (must ${mustBytes.toFixed(2)}, aim ${(mustBytes * AIM_PART).toFixed(2)})`
          : ''
      const besides = isBeside ? [beside.all, beside.data].map((each) => each.toFixed(3)) : ['–', '–']
      row(shape, [...cells, bytes.toFixed(3), ...besides], verdict)
    }
  },
})

async function measure(run: Run<Chosen>, shape: Shape) {
  const { ownerUrl } = await run.database()
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const dayMs = Math.floor(Date.now() / DAY_MS - DAYS_AGO) * DAY_MS
    const numbers = await fillDay(owner, shape, run.options.devices, dayMs)
    const openBytes = await bytesOf(owner, `'^reading_.*_\\d{8}$'`, EMPTY_DAYS)
    const beganAt = performance.now()
    const before = new Date(dayMs + DAY_MS).toISOString().slice(0, 10)
    await closeDays(owner, { before, isOver: () => false, rest: () => Promise.resolve() })
    const tookMs = performance.now() - beganAt
    const costs = await costsOf(owner, numbers)
    const folder = join(run.folder, shape)
    const beside = await bytesInVictoriaMetrics(await namedDays(owner), { folder, hold: (child) => run.hold(child) })
    const bytes = await bytesOfAMonth(owner, numbers)
    const exact = (value: number) => value.toFixed(3)
    return {
      bytes,
      beside,
      cells: [String(numbers), ...[openBytes / numbers, ...costs].map(exact), tookMs / 1000],
    }
  } finally {
    await owner.end()
  }
}

async function namedDays(owner: pg.ClientBase): Promise<NamedDay[]> {
  const { rows } = await owner.query<{ component: string; body: Buffer }>(
    `select concat_ws('-', device_id, event_type_id, number) as component, body from closed_day`,
  )
  return rows.map(({ component, body }) => ({ component, columns: decodeDay(body) }))
}

/** A month has as many days, and maps of free room that a single day would not pay for. */
const DAYS_OF_MONTH = 28
const DEVICES_APART = 1_000_000

async function bytesOfAMonth(owner: pg.ClientBase, numbers: number): Promise<number> {
  await owner.query(
    `insert into closed_day (device_id, event_type_id, number, day, rows, closed_at, body)
     select device_id + n * $1, event_type_id, number, day, rows, closed_at, body
     from closed_day, generate_series(1, $2) n`,
    [DEVICES_APART, DAYS_OF_MONTH - 1],
  )
  return (await bytesOf(owner, `'^closed_day_\\d{6}$'`)) / (numbers * DAYS_OF_MONTH)
}

const EMPTY_DAYS = 'pg_relation_size(oid) > 0'

/** Heap, keys and what lies outside of rows. */
async function bytesOf(owner: pg.ClientBase, names: string, condition = 'true'): Promise<number> {
  const { rows } = await owner.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
     where relkind = 'r' and relname ~ ${names} and ${condition}`,
  )
  return rows[0]?.bytes ?? 0
}

/** Microseconds a number: to write a day, to read it as a whole, and to read each of its fields alone. */
async function costsOf(owner: pg.ClientBase, numbers: number): Promise<number[]> {
  const { rows } = await owner.query<{ body: Buffer }>('select body from closed_day')
  const days = rows.map(({ body }) => decodeDay(body))
  const of = (work: () => void) => {
    const beganAt = performance.now()
    work()
    return ((performance.now() - beganAt) * 1000) / numbers
  }
  const encode = of(() => days.forEach((day) => void packed(encodeDay(day))))
  const decode = of(() => rows.forEach(({ body }) => void decodeDay(body)))
  const alone = of(() => {
    rows.forEach(({ body }, place) => {
      for (const name of days[place]?.fields.keys() ?? []) decodeDay(body, { fields: [name] })
    })
  })
  return [encode, decode, alone]
}
