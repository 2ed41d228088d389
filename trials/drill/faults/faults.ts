import { type ChildProcess, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { SmallDisk } from '#server/testing/backup/SmallDisk.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { eventually, insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { count, oneOf, SEED } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { describeTrial } from '../../frame/trial.ts'
import { type BookTally, closeBooks, NEVER } from '../load/books.ts'
import { FleetDevice } from '../load/FleetDevice.ts'
import { Operators } from '../load/Operators.ts'
import { ApartDatabase } from '../servers/ApartDatabase.ts'
import { tellWarnings } from '../servers/logSummary.ts'
import { OwnDatabase } from '../servers/OwnDatabase.ts'
import { PoorLink } from '../servers/PoorLink.ts'
import { Receivers } from '../servers/Receivers.ts'
import { ServerProgram } from '../servers/ServerProgram.ts'
import { HealthWatch } from './HealthWatch.ts'
import { clockOf, INJECTIONS, type Injection } from './injections.ts'

const OPERATORS = 4
const REPORT_EVERY_MS = 200
/** The load runs this long before and after the fault. */
const QUIET_MS = 3_000
const DISK_MEGABYTES = 400
const RECOVERS_WITHIN_SECONDS = 30
const TOLD_WITHIN_MS = 5 * MINUTE_MS
/** While something is wrong a call may be answered with done, conflict, too soon, not ready, or outcome unknown. */
const HONEST_ANSWERS = [200, 409, 429, 503, 504]

type FaultsRun = Run<Readonly<{ seed: number; seconds: number; devices: number; only: string }>>

export const faults = describeTrial({
  name: 'faults',
  proves:
    'Whatever fails beneath the server, nothing acknowledged is lost and nothing done twice, health says so, and all goes on by itself.',
  options: {
    seed: SEED,
    seconds: count(20, 'seconds that a fault lasts'),
    devices: count(15, 'devices that report and are commanded all the time'),
    only: oneOf(
      INJECTIONS.map(({ name }) => name),
      'one fault',
    ),
  },
  brief: { seconds: 5, devices: 5, only: 'connections-killed' },
  async run(run: FaultsRun) {
    // The database has a user of its own, who must be able to reach its files.
    for (const folder of [dirname(run.folder), run.folder]) chmodSync(folder, 0o755)
    for (const injection of INJECTIONS) {
      if (run.options.only === '' || run.options.only === injection.name) await suffer(run, injection)
    }
  },
})

async function suffer(run: FaultsRun, injection: Injection): Promise<void> {
  const { smallDisk } = injection
  const folder = join(run.folder, injection.name)
  mkdirSync(folder)
  const disk = smallDisk && SmallDisk.make(join(folder, smallDisk === 'log' ? 'log' : 'data'), DISK_MEGABYTES)
  if (smallDisk && disk === undefined) {
    console.log(`${injection.name}: not tried, nobody may mount a small disk here`)
    return
  }
  try {
    await sufferWith(run, injection, folder, disk)
  } finally {
    disk?.remove()
  }
}

async function sufferWith(
  run: FaultsRun,
  injection: Injection,
  folder: string,
  disk: SmallDisk | undefined,
): Promise<void> {
  const chance = () => run.chance()
  const clockFile = join(folder, 'clock')
  const clock = injection.ownClock ? clockOf(clockFile) : {}
  if (clock === undefined) return console.log(`${injection.name}: not tried, libfaketime is not installed`)
  const receivers = injection.isToldOutside ? await Receivers.open() : undefined
  const settings = { ...(injection.ownClock === 'server' ? clock : {}), ...receivers?.settings }
  const hold = (child: ChildProcess) => run.hold(child)
  const server = await ServerProgram.prepare({ folder, name: 'server', flags: injection.flags ?? [], settings, hold })
  await server.start()
  if (injection.smallDisk === 'log' && disk) await moveLog(server, join(folder, 'data'), disk)
  const isApart = injection.isDatabaseApart || injection.ownClock === 'database'
  const apart = isApart
    ? await ApartDatabase.replace({ dataFolder: join(folder, 'data'), server, settings: clock, hold })
    : undefined
  const database = await OwnDatabase.open(join(folder, 'data'))
  const inserted = await insertDevices(database.owner, run.options.devices, { modelId: 1 })
  const tokens = await openSessions(database)
  await receivers?.subscribe(database.owner)
  const link = injection.link && (await PoorLink.open(server.mqttPort, { ...injection.link, chance }))
  const devices = inserted.map(
    (device) => new FleetDevice(device, link?.port ?? server.mqttPort, chance, { everyMs: REPORT_EVERY_MS }),
  )
  const witness = devices[0] as FleetDevice
  const deviceIds = inserted.map(({ id }) => id)
  const operators = new Operators({ httpUrl: server.httpUrl, tokens, deviceIds, chance })
  await sleep(QUIET_MS)
  const residentBefore = residentMegabytes(server.pid)
  const health = HealthWatch.begin(server.httpUrl)
  const done = await injection.inject({
    ...{ server, database, disk, clockFile, receivers, deviceIds, chance, proxy: apart?.proxy },
    seconds: run.options.seconds,
  })
  const overAtMs = performance.now()
  const wasTold = health.wasEverWrong
  await witness.reportNow(1)
  const acknowledgedAfter = (performance.now() - overAtMs) / SECOND_MS
  const healthyAfter = await health.untilWell(overAtMs)
  await sleep(QUIET_MS)
  const resident = residentMegabytes(server.pid)
  const tally = await closeBooks(database.owner, devices, operators)
  tellBooks(run, injection, tally, { operators, done })
  if (injection.isTold && !wasTold) run.wrong(`${injection.name}: health never told of it`)
  if (health.troubles.size > 0) console.log(`  told: ${[...health.troubles].join(' | ')}`)
  if (injection.link !== undefined) await tellPresence(run, injection, database)
  tellRecovery(run, injection, acknowledgedAfter, healthyAfter)
  tellLoad(devices, [residentBefore, resident])
  if (receivers) await tellReceivers(run, injection, receivers, database)
  await database.close()
  await server.stop()
  await apart?.stop()
  await Promise.all([link?.close(), receivers?.goAway()])
  await tellWarnings(folder)
}

function tellLoad(devices: readonly FleetDevice[], residentMegabytes: readonly [before: number, after: number]): void {
  const longestWait = Math.max(...devices.map(({ longestWaitMs }) => longestWaitMs)) / SECOND_MS
  console.log(
    `  longest wait for an acknowledgement ${longestWait.toFixed(1)} s; memory of the server ${residentMegabytes.join(' → ')} MB`,
  )
}

function tellRecovery(run: FaultsRun, { name }: Injection, acknowledgedAfter: number, healthyAfter: number): void {
  const back = Math.max(acknowledgedAfter, healthyAfter)
  console.log(
    `  acknowledged again after ${acknowledgedAfter.toFixed(1)} s, healthy after ${healthyAfter.toFixed(1)} s   ${run.verdict(`${name}: back within ${RECOVERS_WITHIN_SECONDS} s`, back <= RECOVERS_WITHIN_SECONDS)}`,
  )
}

/** Moves the log onto a disk of its own, while nobody writes it. */
async function moveLog(server: ServerProgram, dataFolder: string, disk: SmallDisk): Promise<void> {
  const database = await OwnDatabase.open(dataFolder)
  const { folder } = database
  await database.close()
  await server.stop()
  const [from, to] = [join(folder, 'pg_wal'), join(disk.folder, 'pg_wal')]
  execFileSync('cp', ['-a', from, to])
  rmSync(from, { recursive: true })
  symlinkSync(to, from)
  await server.start()
}

async function openSessions({ owner }: OwnDatabase): Promise<string[]> {
  const tokens: string[] = []
  for (let index = 0; index < OPERATORS; index++) {
    tokens.push(await openSession(owner, await addUser(owner, { username: `operator ${index}`, functions: [2] })))
  }
  return tokens
}

/** No device may count as offline behind a poor link. */
async function tellPresence(run: FaultsRun, { name }: Injection, { owner }: OwnDatabase): Promise<void> {
  const { rows } = await owner.query<{ times: number }>(
    'select count(*)::integer as times from device_presence_history where not is_online',
  )
  if ((rows[0]?.times ?? 0) > 0) run.wrong(`${name}: devices were offline ${rows[0]?.times} times`)
}

interface Suffering {
  readonly operators: Operators
  /** Says in words how often it was done. */
  readonly done: string
}

function tellBooks(run: FaultsRun, injection: Injection, tally: BookTally, { operators, done }: Suffering): void {
  console.log(`${injection.name}: ${injection.what}; ${done}`)
  console.log(`  ${JSON.stringify(tally)}`)
  for (const name of NEVER) if (tally[name] > 0) run.wrong(`${injection.name}: ${tally[name]} ${name}`)
  if (tally.reports === 0 || tally.writes === 0) run.wrong(`${injection.name}: there was no load`)
  const honest = [...HONEST_ANSWERS, ...(injection.alsoAnswered ?? [])]
  for (const [kind, counts] of Object.entries(operators.answers)) {
    const sorted = [...counts].sort(([one], [other]) => one - other)
    console.log(`  ${kind}: ${sorted.map(([status, times]) => `${times} × ${status || 'no answer'}`).join(', ')}`)
    const dishonest = sorted.filter(([status]) => status > 0 && !honest.includes(status))
    for (const [status, times] of dishonest) run.wrong(`${injection.name}: ${times} × ${kind} answered with ${status}`)
  }
}

/** Every recipient must be notified of every incident in the end. */
async function tellReceivers(run: FaultsRun, { name }: Injection, receivers: Receivers, { owner }: OwnDatabase) {
  const waiting = async () =>
    (
      await owner.query<{ count: number }>(
        'select count(*)::int as count from incident_message where next_at is not null or given_up_at is not null',
      )
    ).rows[0]?.count ?? 0
  const overAtMs = performance.now()
  const left = await eventually(waiting, (count) => count === 0, TOLD_WITHIN_MS)
  const seconds = (performance.now() - overAtMs) / SECOND_MS
  const { rows } = await owner.query<{ incident_id: string; kind: string; key: string }>(
    'select m.incident_id, c.kind, m.key from incident_message m join channel c on c.id = m.channel_id',
  )
  const untold = rows.filter(({ incident_id, kind, key }) =>
    kind === 'mail' ? !receivers.hasMailOf(key) : !receivers.told.has(Number(incident_id)),
  )
  console.log(
    `  ${rows.length} messages of incidents; ${receivers.mails.size} mails, ${receivers.told.size} told to the webhook; the last ${seconds.toFixed(1)} s after the fault`,
  )
  if (rows.length < 2 * run.options.devices) run.wrong(`${name}: only ${rows.length} messages were made`)
  if (left > 0) run.wrong(`${name}: ${left} messages were not told`)
  if (untold.length > 0) run.wrong(`${name}: ${untold.length} messages count as told and were not`)
}

function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
