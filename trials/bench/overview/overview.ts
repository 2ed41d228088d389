import { deepStrictEqual } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { count, oneOf, SEED } from '../../frame/options.ts'
import type { Judge } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { makeFleet } from './fleet.ts'
import { measureLists } from './lists.ts'
import { type Asked, addressOf, fetched, QUESTIONS, sent } from './questions.ts'
import { medianAnd95, times } from './repeats.ts'
import { measureFile } from './wholeFile.ts'

const WARM_UPS = 10
const REPEATS = 30
const AIM_TOGETHER_MS = 15
const MUST_TOGETHER_MS = 60
/** Statements over a million rows take a second each. */
const SQL_REPEATS = 3
/** What the page asks for beside its numbers. */
const BESIDE = ['Customer/GetCustomerList', 'App/GetConsoleSettings']

export const overview = describeTrial({
  name: 'overview',
  proves: 'Every call of the Overview, alone and together as a browser makes them, against counting by hand.',
  options: {
    devices: count(100_000, 'devices'),
    alerts: count(1_000_000, 'alerts of a year'),
    seed: SEED,
    only: oneOf(['calls', 'lists', 'pins', 'file'], 'one part'),
  },
  async run(run) {
    const database = await run.database()
    const db = new pg.Client({ connectionString: database.ownerUrl })
    await db.connect()
    console.log(`${availableParallelism()} cores, Node ${process.versions.node}`)
    const token = () => randomBytes(32).toString('base64url')
    await db.query('select setseed($1)', [run.chance('fleet')])
    const fleet = await makeFleet(db, run.options, [token(), token()])
    const { httpUrl, worker } = await run.product(database)
    await hotDevicesFound(db)
    const { staffToken, customerToken, customerId } = fleet
    const parts = {
      calls: async () => {
        await compare(run, 'staff', { db, httpUrl, token: staffToken, customerId: null })
        await compare(run, 'a customer user', { db, httpUrl, token: customerToken, customerId })
      },
      lists: async () => {
        await measureLists(run, 'staff', { httpUrl, token: staffToken })
        await measureLists(run, 'a customer user', { httpUrl, token: customerToken })
      },
      pins: () => measurePins(httpUrl, staffToken),
      file: () => measureFile(run, { worker, httpUrl, token: staffToken }),
    }
    for (const [name, measure] of Object.entries(parts)) {
      if (run.options.only === '' || run.options.only === name) await measure()
    }
    await db.end()
  },
})

/** The job has its turn soon after the start. */
async function hotDevicesFound(db: pg.Client) {
  const deadlineMs = performance.now() + 60_000
  while ((await db.query('select from hot_device limit 1')).rowCount === 0) {
    if (performance.now() > deadlineMs) throw new Error('Nobody looked for the warmest devices.')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function compare(judge: Judge, who: string, { db, httpUrl, token, customerId }: Asked) {
  console.log(`\nFor ${who}`)
  const row = openTable(['median ms', 'p95 ms', 'by hand ms'])
  const any = () => sent(addressOf(httpUrl, 'App/GetConsoleSettings', {}), token)
  await times(WARM_UPS, any)
  row('(what any call costs)', medianAnd95(await times(REPEATS, any)))
  const works = QUESTIONS.map(
    ({ path, query }) =>
      (coding?: string) =>
        sent(addressOf(httpUrl, path, query), token, coding),
  )
  for (const [index, question] of QUESTIONS.entries()) {
    const ask = works[index] as () => Promise<Buffer>
    const answer = await fetched<never>(addressOf(httpUrl, question.path, question.query), token)
    const { rows } = await db.query(question.sql, [customerId])
    deepStrictEqual(question.ofAnswer(answer), question.ofRows(rows), `${question.name}: the numbers differ`)
    await times(WARM_UPS, ask)
    const measured = await times(REPEATS, ask)
    const byHand = await times(SQL_REPEATS, () => db.query(question.sql, [customerId]))
    row(question.name, [...medianAnd95(measured), quantile(byHand, 0.5)])
  }
  const others = BESIDE.map((path) => (coding?: string) => sent(addressOf(httpUrl, path, {}), token, coding))
  const everything = [...works, ...others]
  const asked = (coding?: string) => () => Promise.all(everything.map((work) => work(coding)))
  await times(WARM_UPS, asked())
  const together = await times(REPEATS, asked())
  const median = quantile(together, 0.5)
  const verdict = judge.verdict(`all calls for ${who}`, median <= MUST_TOGETHER_MS, median <= AIM_TOGETHER_MS)
  row('all calls at once', medianAnd95(together), `${verdict} (aim ${AIM_TOGETHER_MS}, must ${MUST_TOGETHER_MS} ms)`)
  row('the same without compression', medianAnd95(await times(REPEATS, asked('identity'))))
}

/** A window of 1440 × 800 pixels over the middle of the fleet, by zoom; undefined: every pin. */
const VIEWS = [undefined, 4, 6, 8, 11] as const
const [WIDTH_PX, HEIGHT_PX, TILE_PX] = [1440, 800, 256]
const MIDDLE = { latitude: 48, longitude: 8 }

function viewAt(zoom: number): Record<string, string> {
  const degrees = 360 / (TILE_PX * 2 ** zoom)
  const [wide, high] = [
    (WIDTH_PX * degrees) / 2,
    (HEIGHT_PX * degrees * Math.cos((MIDDLE.latitude * Math.PI) / 180)) / 2,
  ]
  return {
    zoom: String(zoom),
    west: String(Math.max(-180, MIDDLE.longitude - wide)),
    east: String(Math.min(180, MIDDLE.longitude + wide)),
    south: String(Math.max(-90, MIDDLE.latitude - high)),
    north: String(Math.min(90, MIDDLE.latitude + high)),
  }
}

/** As a browser asks, and what comes over the wire when it does. */
async function measurePins(httpUrl: string, token: string) {
  console.log('\nPins of the map')
  const row = openTable(['median ms', 'p95 ms', 'plain ms', 'kB plain', 'kB sent'], 44)
  for (const zoom of VIEWS) {
    const address = addressOf(httpUrl, 'Device/GetDevicePins', zoom === undefined ? {} : viewAt(zoom))
    const pins = () => sent(address, token)
    const plain = () => sent(address, token, 'identity')
    const [sentKb, plainKb] = [(await pins()).byteLength / 1024, (await plain()).byteLength / 1024]
    const name = zoom === undefined ? 'every pin' : `of a view at zoom ${zoom}`
    const inPlain = quantile(await times(10, plain), 0.5)
    row(name, [...medianAnd95(await times(10, pins)), inPlain, plainKb, sentKb])
  }
}
