import { deepStrictEqual } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { count } from '../../frame/options.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import type { Worker } from '../../frame/Worker.ts'
import { sent } from '../overview/questions.ts'
import { FIELDS, type Fleet, makeFleet } from './fleet.ts'
import { type Question, questionsOf, type TextRow } from './questions.ts'

/** A server of some days has its code compiled, so these runs come first; slow calls get fewer. */
const MOST_WARM_UPS = 150
const LEAST_WARM_UPS = 8
const WARM_UP_MS = 3_000
const REPEATS = 31
const LEAST_REPEATS = 15
const LONG_MS = 20
const MUST_RATIO = 2
/** What any call costs, some 3 ms, is most of an answer whose statement takes so little (docs/decisions/0276). */
const MUST_RATIO_OF_SHORT = 7
const SHORT_MS = 3
const FETCHED_AT_ONCE = 10_000
const MB = 1024 * 1024
const PEAK_EVERY_BYTES = 100 * MB

export const query = describeTrial({
  name: 'query',
  proves: 'Calls of the API against the best statement for the same answer, on the same database in the same run.',
  options: {
    devices: count(50, 'devices'),
    days: count(30, 'days at a report a minute'),
    rollupDays: count(366, 'days of roll-ups'),
    exportRows: count(1_000_000, 'reports of one device to export'),
  },
  async run(run) {
    const database = await run.database()
    const db = new pg.Client({ connectionString: database.ownerUrl })
    await db.connect()
    console.log(await describeRun(db))
    const fleet = await makeFleet(db, run.options, randomBytes(32).toString('base64url'))
    const { httpUrl, worker } = await run.product(database)
    const row = openTable(['HTTP first', 'HTTP ms', 'SQL first', 'SQL ms', 'ratio'])
    const printRatio: PrintRatio = (name, times, { isJudged = true, mustRatio = MUST_RATIO } = {}) => {
      const [, http, , sql] = times
      const ratio = http / sql
      const limit = sql < SHORT_MS ? MUST_RATIO_OF_SHORT : mustRatio
      const verdict = isJudged ? `${run.verdict(name, ratio <= limit)} (must ${limit})` : ''
      row(name, [...times, ratio.toFixed(2)], verdict)
    }
    for (const question of questionsOf(fleet, run.options.days)) {
      await compare({ db, httpUrl, printRatio }, fleet.token, question)
    }
    await compareExport({ db, httpUrl, printRatio }, fleet, worker, run.options.days)
    await printSizes(db)
    await db.end()
  },
})

interface Judgement {
  readonly isJudged?: boolean
  readonly mustRatio?: number | undefined
}

type PrintRatio = (name: string, times: readonly [number, number, number, number], judgement?: Judgement) => void

interface Sides {
  readonly db: pg.Client
  readonly httpUrl: string
  readonly printRatio: PrintRatio
}

async function describeRun(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ version: string }>(`select current_setting('server_version') as version`)
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}, PostgreSQL ${rows[0]?.version}`
  return `Reports of ${FIELDS.length} values; ${machine}`
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now()
  await work()
  return performance.now() - beganAt
}

type Work = () => Promise<unknown>

interface Times {
  readonly first: number
  readonly median: number
}

/** The works take turns, so that other load of the machine slows both alike. */
async function firstAndMedians(...works: readonly Work[]): Promise<Times[]> {
  const firsts: number[] = []
  for (const work of works) firsts.push(await timed(work))
  const warmedUntilMs = performance.now() + WARM_UP_MS
  let warmUps = 0
  const isWarm = () => warmUps >= MOST_WARM_UPS || (warmUps >= LEAST_WARM_UPS && performance.now() > warmedUntilMs)
  for (; !isWarm(); warmUps++) for (const work of works) await work()
  const times = works.map((): number[] => [])
  const repeats = WARM_UP_MS / warmUps > LONG_MS ? LEAST_REPEATS : REPEATS
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [index, work] of works.entries()) times[index]?.push(await timed(work))
  }
  return times.map((own, index) => ({ first: firsts[index] ?? 0, median: quantile(own, 0.5) }))
}

/** The answer is not compressed, as the statement's result is not. */
function opened(url: string, token: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' }
  return new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => {
      if (answer.statusCode === 200) resolve(answer)
      else reject(new Error(`${url} answered ${answer.statusCode}`))
    }).once('error', reject)
  })
}

/** Values stay text, because parsing them is not the statement's work. */
const asText = { getTypeParser: () => (text: unknown) => text }

async function compare({ db, httpUrl, printRatio }: Sides, token: string, question: Question) {
  const { name, path, query: asked, sql, values, isForComparison = false, mustRatio } = question
  const url = `${httpUrl}/api/${path}?${new URLSearchParams(asked)}`
  // This client is as light as the one of the statement.
  const ask = () => sent(url, token, 'identity')
  // The statement is prepared, as the product's own are.
  const statement = { name, text: sql, values: [...values], rowMode: 'array' as const, types: asText as never }
  const [http, direct] = await firstAndMedians(ask, () => db.query(statement))
  if (!http || !direct) throw new Error('Nothing was measured.')
  printRatio(name, [http.first, http.median, direct.first, direct.median], { isJudged: !isForComparison, mustRatio })
  const answer = JSON.parse((await ask()).toString()) as never
  const { rows } = await db.query<TextRow & unknown[]>(statement)
  deepStrictEqual(question.ofAnswer(answer), question.ofRows(rows), `${name}: the statement is no reference`)
}

async function compareExport(
  { db, httpUrl, printRatio }: Sides,
  { chattyId, endMs, token }: Fleet,
  product: Worker,
  days: number,
) {
  const [from, to] = [new Date(endMs - days * DAY_MS), new Date(endMs)]
  const asked = { deviceId: chattyId, evTypeId: 4, dateFrom: from.toISOString(), dateTo: to.toISOString() }
  const url = `${httpUrl}/api/Device/GetDeviceEvTypeRawDataV2Full?${new URLSearchParams(asked as never)}`
  const before = await product.ask<{ bytes: number }>({ tell: 'memory' })
  const peaks: number[] = []
  let bytes = 0
  const readAll = async () => {
    const begin = bytes
    let noted = 0
    for await (const chunk of await opened(url, token)) {
      bytes += (chunk as Buffer).length
      if (bytes - begin < (noted + 1) * PEAK_EVERY_BYTES) continue
      noted += 1
      peaks.push((await product.ask<{ bytes: number }>({ tell: 'peak' })).bytes)
    }
    peaks.push((await product.ask<{ bytes: number }>({ tell: 'peak' })).bytes)
  }
  const http = await timed(readAll)
  const size = bytes
  let rows = 0
  const sql = await timed(async () => {
    rows = await fetchAll(db, chattyId, from, to)
  })
  printRatio(`an export of ${rows} rows`, [http, http, sql, sql])
  const ofFirst = peaks.length
  await readAll()
  const shown = (some: readonly number[]) => some.map((peak) => Math.round(peak / MB)).join(' ')
  console.log(
    `\nThe export was ${Math.round(size / MB)} MB; memory of the server ${Math.round(before.bytes / MB)} MB before. Its ` +
      `highest so far, every ${PEAK_EVERY_BYTES / MB} MB: ${shown(peaks.slice(0, ofFirst))} MB, ` +
      `and of a second export right after: ${shown(peaks.slice(ofFirst))} MB.`,
  )
}

async function fetchAll(db: pg.Client, deviceId: number, from: Date, to: Date): Promise<number> {
  let count = 0
  await db.query('begin')
  await db.query({
    text: `declare everything no scroll cursor for select * from reading_display
      where device_id = $1 and device_dt >= $2 and device_dt <= $3 order by device_dt desc, number desc`,
    values: [deviceId, from, to],
  })
  for (let last = FETCHED_AT_ONCE; last === FETCHED_AT_ONCE; count += last) {
    const text = `fetch ${FETCHED_AT_ONCE} from everything`
    last = (await db.query({ text, rowMode: 'array', types: asText as never })).rows.length
  }
  await db.query('commit')
  return count
}

async function printSizes(db: pg.Client) {
  const size = (table: string) =>
    `(select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = '${table}'::regclass)::float8`
  const { rows } = await db.query<{ raw: number; rollup: number; reports: number; days: number }>(
    `select ${size('reading_display')} as raw, ${size('rollup')} as rollup,
       (select count(*) from reading_display) as reports, (select count(*) from rollup) as days`,
  )
  const { raw = 0, rollup = 0, reports = 1, days = 1 } = rows[0] ?? {}
  const rawDay = (raw / reports) * 1440 * 1000
  const rollupDay = (rollup / days) * FIELDS.length * 1000
  console.log(`Bytes a value with indexes: ${(raw / reports / FIELDS.length).toFixed(1)}`)
  console.log(
    `A day of 1,000 devices: ${Math.round(rawDay / MB)} MB of reports, ${Math.round(rollupDay / MB)} MB of roll-ups`,
  )
}
