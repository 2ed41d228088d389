import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { CITUS_FOLDER, CitusCluster, LOG_KEPT } from '#server/testing/database/citusCluster.ts'
import { makeDistributedDatabase } from '#server/testing/database/distributedDatabase.ts'
import { eventually, insertDevices, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { leftByTable, leftToDo, watchLoad, wrongAlerts, wrongHours } from '#server/testing/wholeServer/reportKills.ts'
import { askServer } from '#server/testing/wholeServer/wholeServer.ts'
import { count, SEED, words } from '../../frame/options.ts'
import { describeTrial } from '../../frame/trial.ts'
import { closeBooks, NEVER } from '../load/books.ts'
import { FleetDevice } from '../load/FleetDevice.ts'
import { Operators } from '../load/Operators.ts'
import { tellWarnings } from '../servers/logSummary.ts'
import { ServerProgram } from '../servers/ServerProgram.ts'
import { acknowledgedBy, type CitusRun, type Stage } from './stage.ts'
import { markPoint, restoreAll, upgrade } from './upkeep.ts'

const WORKERS = 2
const SHARDS = 6
/** Earlier days have no tables, so that shards of few tables move. */
const OPEN_DAYS = 4
const OPERATORS = 4
const REPORT_EVERY_MS = 200
const REPORTED_BACK_MS = 20 * HOUR_MS
const REPORT_STEP_MS = 5 * SECOND_MS
const QUIET_MS = 5_000
const UPS_TYPE_ID = 5
/** Until then all reports wait for a worker that may only be started again. */
const HELD_BACK_WITHIN_MS = 10 * SECOND_MS
const PREPARED_WITHIN_MS = 90 * SECOND_MS
/** A shard brings all partitions of all tables with it, which takes two cores five minutes. */
const REBALANCED_WITHIN_MS = 20 * MINUTE_MS
const WORKED_OUT_WITHIN_MS = 2 * MINUTE_MS
const ACKNOWLEDGED_WITHIN_SECONDS = 60
/** While a machine is away a call may be answered with done, conflict, too soon, not ready, or outcome unknown. */
const HONEST_ANSWERS = [200, 409, 429, 503, 504]

export const citus = describeTrial({
  name: 'citus',
  proves:
    'Where readings are distributed over machines, a worker and the coordinator may stop and shards may move under load: nothing acknowledged is lost, nothing done twice, and what needs no missing machine goes on.',
  options: {
    seed: SEED,
    seconds: count(20, 'seconds that a machine is away'),
    devices: count(20, 'devices that report and are commanded all the time'),
    postgres: words('folder of a PostgreSQL that has Citus, the one with `bin` in it; WAYSIDE_TEST_CITUS by default'),
  },
  brief: { seconds: 8, devices: 8 },
  async run(run: CitusRun) {
    const folder = run.options.postgres || CITUS_FOLDER
    if (folder === undefined) {
      console.log('not tried: no PostgreSQL with Citus was named. Give its folder: --postgres=/usr/lib/postgresql/18')
      return
    }
    const cluster = await CitusCluster.start({ folder, workers: WORKERS, ownerIsSuperuser: true, settings: LOG_KEPT })
    // However the trial ends, nothing of the cluster may stay.
    process.once('exit', () => cluster.stop())
    try {
      await suffer(run, cluster)
    } finally {
      cluster.stop()
    }
  },
})

async function suffer(run: CitusRun, cluster: CitusCluster): Promise<void> {
  const database = await makeDistributedDatabase(cluster, {
    shards: SHARDS,
    retentionDays: OPEN_DAYS,
    openDays: OPEN_DAYS,
  })
  const server = await ServerProgram.prepare({
    ...{ database, folder: run.folder, name: 'server', hold: (child) => run.hold(child) },
  })
  await server.start()
  const owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'trial owner' })
  owner.on('error', () => undefined)
  const inserted = await insertDevices(owner, run.options.devices, { modelId: 1 })
  await watchLoad(owner)
  const tokens: string[] = []
  for (let index = 0; index <= OPERATORS; index++) {
    tokens.push(await openSession(owner, await addUser(owner, { username: `operator ${index}`, functions: [2] })))
  }
  const [token = '', ...others] = tokens
  const chance = () => run.chance()
  // Times that stayed as far behind as they began would make the clocks of devices look wrong.
  const pace = { everyMs: REPORT_EVERY_MS, sinceMs: Date.now() - REPORTED_BACK_MS, stepMs: REPORT_STEP_MS }
  const devices = inserted.map((device) => new FleetDevice(device, server.mqttPort, chance, pace))
  const deviceIds = inserted.map(({ id }) => id)
  const operators = new Operators({ httpUrl: server.httpUrl, tokens: others, deviceIds, chance })
  const stage: Stage = { run, cluster, database, owner, server, devices, operators, token }
  await sleep(QUIET_MS)
  await loseWorker(stage)
  await loseCoordinator(stage)
  await growByWorker(stage)
  await upgrade(stage)
  const point = await markPoint(stage)
  await sleep(QUIET_MS)
  await tellBooks(stage)
  await server.stop()
  await owner.end()
  await restoreAll(stage, point)
  await server.stop()
  await tellWarnings(run.folder)
}

/** A worker is killed, is away for a while, and comes back. */
async function loseWorker(stage: Stage): Promise<void> {
  const { run, cluster, owner, devices, operators } = stage
  const [worker] = cluster.workers
  if (worker === undefined) throw new Error('There is no worker.')
  const places = await portsOf(
    owner,
    devices.map(({ device }) => device),
  )
  const ofMissing = devices.filter(({ device }) => places.get(device.id) === worker.port)
  const ofOthers = devices.filter(({ device }) => places.get(device.id) !== worker.port)
  const [there] = ofMissing
  const [elsewhere] = ofOthers
  if (there === undefined || elsewhere === undefined)
    throw new Error('All devices are on one worker: take more devices.')
  const executedBefore = executedBy(devices)
  worker.stop('immediate')
  await sleep(SECOND_MS)
  const missing = await readingsOf(stage, there.device)
  console.log(`worker away: its readings ${missing.status} ${missing.message}`)
  if (missing.status !== 503 || !/machine/.test(missing.message))
    run.wrong(`worker away: its readings were answered with ${missing.status} ${missing.message}`)
  const others = await readingsOf(stage, elsewhere.device)
  console.log(`worker away: readings of another worker ${others.status} ${others.message}`)
  if (others.status !== 200) run.wrong(`worker away: readings elsewhere were answered with ${others.status}`)
  await tellStored(stage, { ofMissing, ofOthers })
  const troubles = await troublesOf(stage)
  console.log(`worker away: health says ${troubles.join(' | ')}`)
  if (troubles.length === 0) run.wrong('worker away: health never told of it')
  const executed = executedBy(devices) - executedBefore
  console.log(`worker away: ${executed} commands were carried out meanwhile`)
  if (executed === 0 && operators.commanded.length > 0) run.wrong('worker away: no command was carried out')
  await tellPresence(stage, 'worker away')
  worker.start()
  await tellRecovery(stage, 'worker')
}

/** Reports of the devices of other workers must be stored meanwhile, and only those. */
async function tellStored({ run }: Stage, { ofMissing, ofOthers }: Record<'ofMissing' | 'ofOthers', FleetDevice[]>) {
  await sleep(HELD_BACK_WITHIN_MS)
  const before = new Map(ofOthers.map((device) => [device, device.acknowledged.size]))
  const missingBefore = acknowledgedBy(ofMissing)
  await sleep(run.options.seconds * SECOND_MS)
  const silent = ofOthers.filter((device) => device.acknowledged.size === before.get(device)).length
  const stored = acknowledgedBy(ofOthers) - [...before.values()].reduce((sum, count) => sum + count, 0)
  console.log(
    `worker away: ${stored} reports of ${ofOthers.length} devices of other workers were stored in ${run.options.seconds} s, ${acknowledgedBy(ofMissing) - missingBefore} of its own ${ofMissing.length}`,
  )
  if (silent > 0) run.wrong(`worker away: nothing was stored of ${silent} devices of other workers`)
  if (acknowledgedBy(ofMissing) > missingBefore) run.wrong('worker away: reports that nobody keeps were acknowledged')
}

async function loseCoordinator(stage: Stage): Promise<void> {
  const { coordinator } = stage.cluster
  coordinator.stop('immediate')
  await sleep((stage.run.options.seconds * SECOND_MS) / 2)
  coordinator.start()
  await tellRecovery(stage, 'coordinator')
  await tellPrepared(stage)
}

/** What a coordinator had prepared and not committed on workers must end by itself: it holds locks. */
async function tellPrepared({ run, cluster }: Stage): Promise<void> {
  const beganAt = performance.now()
  const left = async () => {
    const found = await Promise.all(
      cluster.workers.map((worker) =>
        worker.ask(`select from pg_prepared_xacts where prepared < now() - interval '2 s'`),
      ),
    )
    return found.flat().length
  }
  const first = await left()
  const last = await eventually(left, (count) => count === 0, PREPARED_WITHIN_MS)
  console.log(
    `coordinator back: ${first} transactions were left prepared, ${last} after ${((performance.now() - beganAt) / SECOND_MS).toFixed(1)} s`,
  )
  if (last > 0) run.wrong(`${last} transactions stayed prepared`)
}

/** A third worker comes, and shards move to it while devices report. */
async function growByWorker({ run, cluster, owner, devices }: Stage): Promise<void> {
  const worker = await cluster.addNode()
  await cluster.join(worker)
  const before = acknowledgedBy(devices)
  const beganAt = performance.now()
  await cluster.coordinator.ask(`select citus_rebalance_start(shard_transfer_mode => 'force_logical')`, 'wayside')
  const isOver = async () => {
    const [job] = await cluster.coordinator.ask<{ state: string }>(
      'select state from pg_dist_background_job order by job_id desc limit 1',
      'wayside',
    )
    return job?.state ?? ''
  }
  const state = await eventually(isOver, (word) => /finished|failed|cancelled/.test(word), REBALANCED_WITHIN_MS)
  const seconds = (performance.now() - beganAt) / SECOND_MS
  const { rows } = await owner.query<{ shards: number }>(
    `select count(*)::integer as shards from citus_shards where nodeport = $1 and table_name = 'rollup'::regclass`,
    [worker.port],
  )
  console.log(
    `rebalance: ${state} in ${seconds.toFixed(1)} s, ${rows[0]?.shards} shards of each table moved, ${acknowledgedBy(devices) - before} reports acknowledged meanwhile`,
  )
  if (state !== 'finished' || (rows[0]?.shards ?? 0) === 0) run.wrong(`rebalance: ${state}`)
  if (acknowledgedBy(devices) === before) run.wrong('rebalance: nothing was acknowledged meanwhile')
}

async function tellRecovery({ run, devices }: Stage, what: string): Promise<void> {
  const beganAt = performance.now()
  const before = devices.map(({ acknowledged }) => acknowledged.size)
  const silent = () => devices.filter(({ acknowledged }, index) => acknowledged.size === before[index]).length
  await eventually(
    async () => silent(),
    (count) => count === 0,
    2 * ACKNOWLEDGED_WITHIN_SECONDS * SECOND_MS,
  )
  const seconds = (performance.now() - beganAt) / SECOND_MS
  const verdict = run.verdict(
    `${what}: acknowledged within ${ACKNOWLEDGED_WITHIN_SECONDS} s`,
    silent() === 0 && seconds <= ACKNOWLEDGED_WITHIN_SECONDS,
  )
  console.log(`${what} back: all devices acknowledged again after ${seconds.toFixed(1)} s   ${verdict}`)
  await sleep(QUIET_MS)
}

async function tellBooks({ run, owner, devices, operators }: Stage): Promise<void> {
  const tally = await closeBooks(owner, devices, operators)
  console.log(JSON.stringify(tally))
  for (const name of NEVER) if (tally[name] > 0) run.wrong(`${tally[name]} ${name}`)
  if (tally.reports === 0 || tally.writes === 0 || tally.executed === 0) run.wrong('there was no load')
  for (const [kind, counts] of Object.entries(operators.answers)) {
    const sorted = [...counts].sort(([one], [other]) => one - other)
    console.log(`  ${kind}: ${sorted.map(([status, times]) => `${times} × ${status || 'no answer'}`).join(', ')}`)
    for (const [status, times] of sorted)
      if (status > 0 && !HONEST_ANSWERS.includes(status)) run.wrong(`${times} × ${kind} answered with ${status}`)
  }
  const wrong = await unlikeReadings(
    owner,
    devices.map(({ device }) => device),
  )
  console.log(`  ${JSON.stringify(wrong)}`)
  for (const [name, times] of Object.entries(wrong)) if (times > 0) run.wrong(`${times} ${name}`)
}

/** Compares what was worked out from readings with a new computation, once nothing waits to be worked out. */
async function unlikeReadings(owner: pg.Pool, devices: readonly TestDevice[]) {
  const left = await eventually(
    () => leftToDo(owner),
    (some) => some === 0,
    WORKED_OUT_WITHIN_MS,
  )
  if (left > 0) console.log(`  left to do: ${JSON.stringify(await leftByTable(owner))}`)
  const beforeAll = new Date(Date.now() - REPORTED_BACK_MS - HOUR_MS)
  return {
    leftToDo: left,
    wrongHours: await wrongHours(owner),
    wrongAlerts: await wrongAlerts(owner, devices, beforeAll),
  }
}

/** No device may count as offline because a machine of the database is away. */
async function tellPresence({ run, owner }: Stage, when: string): Promise<void> {
  const { rows } = await owner.query<{ times: number }>(
    'select count(*)::integer as times from device_presence_history where not is_online',
  )
  if ((rows[0]?.times ?? 0) > 0) run.wrong(`${when}: devices were offline ${rows[0]?.times} times`)
}

/** Finds the port of the worker that holds each device. */
async function portsOf(owner: pg.Pool, devices: readonly TestDevice[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await owner.query<{ id: number; port: number }>(
    `select d.id, s.nodeport as port from unnest($1::integer[]) as d (id)
     join citus_shards s on s.shardid = get_shard_id_for_distribution_column('rollup', d.id)`,
    [devices.map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, port }) => [id, port]))
}

async function readingsOf({ server, token }: Stage, { id }: TestDevice): Promise<{ status: number; message: string }> {
  const query = {
    ...{ deviceId: id, evTypeId: UPS_TYPE_ID },
    ...{ dateFrom: new Date(Date.now() - REPORTED_BACK_MS).toISOString(), dateTo: new Date().toISOString() },
  }
  const { status, body } = await askServer(server.httpUrl, 'Device/GetDeviceEvTypeRawDataV2', { token, query })
  return { status, message: (body as { message?: string }).message ?? '' }
}

async function troublesOf({ server }: Stage): Promise<readonly string[]> {
  const answer = await fetch(`${server.httpUrl}/healthz`)
  return ((await answer.json()) as { readonly troubles?: readonly string[] }).troubles ?? []
}

const executedBy = (devices: readonly FleetDevice[]) => devices.reduce((sum, { executed }) => sum + executed.length, 0)
