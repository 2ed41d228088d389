import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import type { Judge, Run } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { insertBenchDevices } from '../ingest/benchDevices.ts'
import type { BookedLoad } from '../ingest/FleetBook.ts'
import type { FleetQuestion } from '../ingest/fleetLoad.ts'
import { FIELDS, type Fleet, makeFleet } from '../query/fleet.ts'
import type { AskingQuestion, HeavyTally, LightTally } from './askingLoad.ts'

const DATA = { devices: 40, days: 4, rollupDays: 366, exportRows: 200_000 }
const REPORTING_DEVICES = 40
const LOOPS = 30
const SERIES = 12
const SETTLE_MS = 3_000
const MUST_RATIO = 2

type HeavyRun = Judge & Pick<Run<Readonly<Record<string, never>>>, 'worker' | 'product' | 'database' | 'endWorkers'>

/**
 * One user exports files and charts of a year in thirty loops, again at once whatever the answer; another works with
 * lists and pages of devices, and devices report. It alternates with quiet, so that other load of the machine affects
 * both.
 */
export async function measureHeavy(run: HeavyRun, { rounds, seconds }: { rounds: number; seconds: number }) {
  const database = await run.database()
  const db = new pg.Client({ connectionString: database.ownerUrl })
  await db.connect()
  const data = await makeFleet(db, DATA, randomBytes(32).toString('base64url'))
  const owner = openPool(database.ownerUrl, { maximumConnections: 1, name: 'trial owner' })
  const other = await openSession(
    owner,
    await addUser(owner, { username: 'other@bench.example', functions: [1, 2, 5] }),
  )
  await owner.end()
  const reporting = await insertBenchDevices(db, REPORTING_DEVICES)
  const { httpUrl, mqttUrl } = await run.product(database)
  const load = (file: string) => run.worker(new URL(file, import.meta.url))
  const [heavy, person, fleet] = [load('./askingLoad.ts'), load('./askingLoad.ts'), load('../ingest/fleetLoad.ts')]
  const connect: FleetQuestion = {
    connect: reporting,
    port: Number(new URL(mqttUrl).port),
    addresses: 1,
    reports: true,
  }
  await fleet.ask(connect)
  const { heavyUrls, lightUrls: urls } = urlsOf(httpUrl, data)
  const begin: AskingQuestion = { begin: { token: data.token, urls: heavyUrls, loops: LOOPS } }
  const measured = async () => {
    const [calls, reports] = await Promise.all([
      person.ask<LightTally>({ measure: { token: other, urls, seconds } } satisfies AskingQuestion),
      fleet.ask<BookedLoad>({ measure: { seconds } } satisfies FleetQuestion),
    ])
    return { calls, reports }
  }
  await measured()
  console.log(`\nA heavy console: ${LOOPS} loops of one user ask for exports and charts of a year`)
  const row = openTable(['quiet p99 ms', 'beside them', 'ratio', 'quiet p50', 'beside them'], 44)
  const taken: { quiet: Awaited<ReturnType<typeof measured>>; beside: Awaited<ReturnType<typeof measured>> }[] = []
  for (let round = 0; round < rounds; round++) {
    await sleep(SETTLE_MS)
    const quiet = await measured()
    await heavy.ask(begin)
    await sleep(SETTLE_MS)
    const beside = await measured()
    const { answered, refused, megabytes } = await heavy.ask<HeavyTally>({ end: 'all' })
    console.log(
      `round ${round + 1}: the loops were answered ${answered} times, refused ${refused} times, ${megabytes} MB`,
    )
    taken.push({ quiet, beside })
  }
  const middle = (of: (round: (typeof taken)[number]) => number) => quantile(taken.map(of), 0.5)
  for (const [name, part] of [
    ['calls of another user', 'calls'],
    ['PUBACK', 'reports'],
  ] as const) {
    const ratio = middle(({ quiet, beside }) => beside[part].p99Ms / quiet[part].p99Ms)
    const verdict = run.verdict(`p99 of ${name} beside a heavy console`, ratio <= MUST_RATIO)
    const [p99, p50] = (['p99Ms', 'p50Ms'] as const).map((of) =>
      (['quiet', 'beside'] as const).map((when) => middle((round) => round[when][part][of])),
    ) as [number[], number[]]
    row(name, [...p99, ratio.toFixed(2), ...p50], `${verdict} (must ${MUST_RATIO})`)
  }
  await fleet.ask({ end: 'all' })
  await db.end()
  await run.endWorkers()
}

function urlsOf(httpUrl: string, { deviceIds, chattyId, endMs }: Fleet) {
  const url = (path: string, query: Readonly<Record<string, string>>) =>
    `${httpUrl}/api/${path}?${new URLSearchParams(query)}`
  const since = (days: number) => ({
    dateFrom: new Date(endMs - days * DAY_MS).toISOString(),
    dateTo: new Date(endMs).toISOString(),
  })
  const exported = { deviceId: String(chattyId), evTypeId: '4', ...since(DATA.days) }
  const series = FIELDS.slice(0, SERIES).map(({ id }) => id)
  const chart = { devices: deviceIds.slice(0, 10).join(), measurements: series.join(), ...since(365) }
  return {
    heavyUrls: [
      url('Device/GetDeviceEvTypeRawDataV2Full', exported),
      url('Analytics/GetAnalyticsDataTable', chart),
      url('Analytics/GetAnalyticsColumns', chart),
    ],
    lightUrls: [
      url('Device/GetDeviceList', { rowNum: '1', pageSize: '50' }),
      url('Alert/GetAlertList', { rowNum: '1', pageSize: '50' }),
      url('Device/GetDeviceById', { id: String(deviceIds[0]) }),
      url('Dashboard/GetDashboardValues', {}),
    ],
  }
}
