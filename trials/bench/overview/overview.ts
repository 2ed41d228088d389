import { deepStrictEqual } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { Worker } from '../../frame/Worker.ts'
import { openPlace } from '../place.ts'
import { type FleetOptions, makeFleet } from './fleet.ts'
import { type Asked, addressOf, fetched, QUESTIONS } from './questions.ts'

const WARM_UPS = 10
const REPEATS = 30
const LIST_REPEATS = 300
const AIM_TOGETHER_MS = 15
const MUST_TOGETHER_MS = 60
const AIM_LIST_MS = 3
/** Statements over a million rows take a second each. */
const SQL_REPEATS = 3
/** What the page asks for beside its numbers. */
const BESIDE = ['Customer/GetCustomerList', 'App/GetConsoleSettings']

/** Every call of the Overview, alone and together as a browser makes them, on a large fleet. */
export async function overviewBenchmark(options: FleetOptions): Promise<void> {
  const place = await openPlace()
  const db = new pg.Client({ connectionString: place.ownerUrl })
  const product = new Worker(new URL('../../frame/productServer.ts', import.meta.url), ['--expose-gc'])
  const interrupted = () => place.close().finally(() => process.exit(130))
  process.once('SIGINT', interrupted)
  try {
    await db.connect()
    console.log(
      `${options.devices} devices, ${options.alerts} alerts of a year; ${availableParallelism()} cores, Node ${process.versions.node}`,
    )
    const beganAt = performance.now()
    const token = () => randomBytes(32).toString('base64url')
    const fleet = await makeFleet(db, options, [token(), token()])
    console.log(`The fleet was made in ${Math.round((performance.now() - beganAt) / 1000)} s.`)
    const { ownerUrl, applicationUrl } = place
    const { httpUrl } = await product.ask<{ httpUrl: string }>({ start: { ownerUrl, applicationUrl } })
    await hotDevicesFound(db)
    await compare('staff', { db, httpUrl, token: fleet.staffToken, customerId: null })
    await compare('a customer user', { db, httpUrl, token: fleet.customerToken, customerId: fleet.customerId })
    await measureList(httpUrl, fleet.staffToken)
    await measurePins(httpUrl, fleet.staffToken)
  } finally {
    await Promise.allSettled([product.end()])
    await db.end()
    process.off('SIGINT', interrupted)
    await place.close()
  }
}

/** The job has its turn soon after the start. */
async function hotDevicesFound(db: pg.Client) {
  const deadlineMs = performance.now() + 60_000
  while ((await db.query('select from hot_device limit 1')).rowCount === 0) {
    if (performance.now() > deadlineMs) throw new Error('Nobody looked for the warmest devices.')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function times(repeats: number, work: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const beganAt = performance.now()
    await work()
    found.push(performance.now() - beganAt)
  }
  return found.sort((a, b) => a - b)
}

const at = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(12)

async function compare(who: string, { db, httpUrl, token, customerId }: Asked) {
  console.log(`\n${`For ${who}`.padEnd(32)}${['median', 'p95', 'by hand'].map((text) => text.padStart(12)).join('')}`)
  const any = () => fetched(addressOf(httpUrl, 'App/GetConsoleSettings', {}), token).then((answer) => answer.text())
  await times(WARM_UPS, any)
  const floor = await times(REPEATS, any)
  console.log(`${'(what any call costs)'.padEnd(32)}${[at(floor, 0.5), at(floor, 0.95)].map(ms).join('')}`)
  const works = QUESTIONS.map(({ path, query }) => async () => {
    const answer = await fetched(addressOf(httpUrl, path, query), token)
    return answer.arrayBuffer()
  })
  for (const [index, question] of QUESTIONS.entries()) {
    const ask = works[index] as () => Promise<ArrayBuffer>
    const answer = JSON.parse(Buffer.from(await ask()).toString()) as never
    const { rows } = await db.query(question.sql, [customerId])
    deepStrictEqual(question.ofAnswer(answer), question.ofRows(rows), `${question.name}: the numbers differ`)
    await times(WARM_UPS, ask)
    const measured = await times(REPEATS, ask)
    const byHand = await times(SQL_REPEATS, () => db.query(question.sql, [customerId]))
    console.log(
      `${question.name.padEnd(32)}${[at(measured, 0.5), at(measured, 0.95), at(byHand, 0.5)].map(ms).join('')}`,
    )
  }
  const others = BESIDE.map((path) => async () => (await fetched(addressOf(httpUrl, path, {}), token)).arrayBuffer())
  const everything = [...works, ...others]
  await times(WARM_UPS, () => Promise.all(everything.map((work) => work())))
  const together = await times(REPEATS, () => Promise.all(everything.map((work) => work())))
  const median = at(together, 0.5)
  const verdict = median <= AIM_TOGETHER_MS ? 'aim reached' : median <= MUST_TOGETHER_MS ? 'must reached' : 'MISSED'
  console.log(
    `${'all calls at once'.padEnd(32)}${ms(median)}${ms(at(together, 0.95))}   ${verdict} (aim ${AIM_TOGETHER_MS}, must ${MUST_TOGETHER_MS} ms)`,
  )
  if (median > MUST_TOGETHER_MS) process.exitCode = 1
}

const LIST_PAGES: readonly Readonly<Record<string, string>>[] = [
  {},
  { filter: 'activeConnected' },
  { filter: 'maintenance' },
  { deviceName: 'Device 77' },
  { sort: 'name', descending: 'true' },
]

async function measureList(httpUrl: string, token: string) {
  console.log('')
  for (const more of LIST_PAGES) {
    const query = { rowNum: '1', pageSize: '50', ...more }
    const page = async () => (await fetched(addressOf(httpUrl, 'Device/GetDeviceList', query), token)).arrayBuffer()
    await times(WARM_UPS, page)
    const measured = await times(LIST_REPEATS, page)
    const name = `device list ${new URLSearchParams(more).toString()}`
    console.log(`${name.padEnd(44)}${ms(at(measured, 0.5))}   p95${ms(at(measured, 0.95))} (aim ${AIM_LIST_MS} ms)`)
  }
}

async function measurePins(httpUrl: string, token: string) {
  const pins = async () => (await fetched(addressOf(httpUrl, 'Device/GetDevicePins', {}), token)).arrayBuffer()
  const bytes = (await pins()).byteLength
  await times(2, pins)
  const measured = await times(10, pins)
  console.log(
    `${'all pins of the map'.padEnd(44)}${ms(at(measured, 0.5))}   p95${ms(at(measured, 0.95))}, ${Math.round(bytes / 1024)} kB`,
  )
}
