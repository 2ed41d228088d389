import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { count, oneOf, SEED, words } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { describeTrial } from '../../frame/trial.ts'
import { closeBooks, NEVER } from '../load/books.ts'
import { FleetDevice } from '../load/FleetDevice.ts'
import { Operators } from '../load/Operators.ts'
import { Balancer } from '../servers/Balancer.ts'
import { LeaderWatch } from '../servers/LeaderWatch.ts'
import { tellWarnings } from '../servers/logSummary.ts'
import { unpackOlderProgram } from '../servers/olderProgram.ts'
import { ServerProgram } from '../servers/ServerProgram.ts'
import { whatDoesNotCross } from './crossing.ts'

const WAYS = ['kills', 'restart', 'upgrade'] as const
type Way = (typeof WAYS)[number]

const OPERATORS = 6
const REPORT_EVERY_MS = 200
const LONGEST_PAUSE_MS = 8_000
const LEADER_WITHIN_SECONDS = 10
/** The load runs this long before and after everything that is done to servers. */
const QUIET_MS = 3_000

const OPTIONS = {
  seed: SEED,
  seconds: count(60, 'seconds of kills, and of restarts'),
  servers: count(3, 'processes on one database', 2),
  devices: count(30, 'devices that report and are commanded all the time'),
  only: oneOf(WAYS, 'one way of going'),
  from: words('commit from which the upgrade goes; the newest tag, or the one before the newest migration'),
}

type ProcessesRun = Run<
  Readonly<{ seed: number; seconds: number; servers: number; devices: number; only: string; from: string }>
>

export const processes = describeTrial({
  name: 'processes',
  proves:
    'Of several processes behind a balancer any may be killed, restarted or replaced by the next version under load: nothing acknowledged is lost, nothing done twice, and a leader is back.',
  options: OPTIONS,
  brief: { seconds: 15, devices: 10, only: 'kills' },
  async run(run: ProcessesRun) {
    for (const way of WAYS) {
      if (run.options.only === '' || run.options.only === way) await go(run, way)
    }
  },
})

/** The servers of one drill, and what happens to them while devices and operators go on. */
interface Environment {
  readonly run: ProcessesRun
  readonly servers: readonly ServerProgram[]
  readonly untilMs: number
}

async function go(run: ProcessesRun, way: Way): Promise<void> {
  const folder = join(run.folder, way)
  await mkdir(folder, { recursive: true })
  const database = way === 'upgrade' ? await run.emptyDatabase() : await run.database()
  const older = way === 'upgrade' ? await unpackOlderProgram(folder, run.options.from) : undefined
  const servers: ServerProgram[] = []
  for (let index = 1; index <= run.options.servers; index++) {
    const deps = {
      database,
      folder,
      name: `server-${index}`,
      hold: (child: Parameters<Run<never>['hold']>[0]) => run.hold(child),
    }
    servers.push(await ServerProgram.prepare(deps))
  }
  // The first one migrates; started together, the others would wait for it anyway.
  for (const server of servers) await server.start(older?.root)
  const owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'trial owner' })
  const http = await Balancer.open(servers.map(({ httpPort }) => httpPort))
  const mqtt = await Balancer.open(servers.map(({ mqttPort }) => mqttPort))
  const inserted = await insertDevices(owner, run.options.devices, { modelId: 1 })
  const tokens: string[] = []
  for (let index = 0; index < OPERATORS; index++) {
    tokens.push(await openSession(owner, await addUser(owner, { username: `${way} ${index}`, functions: [2] })))
  }
  const chance = () => run.chance()
  const devices = inserted.map((device) => new FleetDevice(device, mqtt.port, chance, { everyMs: REPORT_EVERY_MS }))
  const leaders = await LeaderWatch.open(database.ownerUrl)
  const deviceIds = inserted.map(({ id }) => id)
  const operators = new Operators({ httpUrl: `http://127.0.0.1:${http.port}`, tokens, deviceIds, chance })
  await sleep(QUIET_MS)
  const environment = { run, servers, untilMs: performance.now() + run.options.seconds * SECOND_MS }
  const done = await (way === 'kills'
    ? kills(environment)
    : way === 'restart'
      ? restarts(environment)
      : upgrade(environment))
  await sleep(QUIET_MS)
  const led = await leaders.stop()
  for (const sentence of await whatDoesNotCross(owner, servers, required(devices[0]))) run.wrong(`${way}: ${sentence}`)
  const tally = await closeBooks(owner, devices, operators)
  tell(run, way, { done, older: older?.commit, led, tally, operators, devices })
  for (const server of servers) await server.stop()
  await tellWarnings(folder)
  await Promise.all([http.close(), mqtt.close(), owner.end()])
}

function required(device: FleetDevice | undefined): FleetDevice {
  if (device === undefined) throw new Error('There is no device.')
  return device
}

/** Kills any server at any moment, but always leaves one that serves. */
async function kills({ run, servers, untilMs }: Environment): Promise<string> {
  let killed = 0
  const starting = new Set<Promise<void>>()
  while (performance.now() < untilMs) {
    await sleep(run.chance() * LONGEST_PAUSE_MS)
    const ready = servers.filter(({ isReady }) => isReady)
    const victim = ready[Math.floor(run.chance() * ready.length)]
    if (victim === undefined || ready.length < 2) continue
    await victim.kill()
    killed++
    const start = victim.start().finally(() => starting.delete(start))
    starting.add(start)
  }
  await Promise.all(starting)
  return `${killed} kills`
}

/** Restarts one after the other, each when the one before serves again. */
async function restarts({ servers, untilMs }: Environment): Promise<string> {
  let restarted = 0
  for (let index = 0; performance.now() < untilMs || restarted < servers.length; index++) {
    const server = servers[index % servers.length] as ServerProgram
    await server.stop()
    await server.start()
    restarted++
  }
  return `${restarted} restarts`
}

/** The first server of the new version migrates, and those of the old one go on beside it. */
async function upgrade({ servers }: Environment): Promise<string> {
  for (const server of servers) {
    await server.stop()
    await server.start()
    await sleep(QUIET_MS)
  }
  return `${servers.length} processes replaced`
}

interface Told {
  readonly done: string
  readonly older: string | undefined
  readonly led: Awaited<ReturnType<LeaderWatch['stop']>>
  readonly tally: Awaited<ReturnType<typeof closeBooks>>
  readonly operators: Operators
  readonly devices: readonly FleetDevice[]
}

function tell(run: ProcessesRun, way: Way, { done, older, led, tally, operators, devices }: Told): void {
  console.log(`${way}: ${done} under load${older === undefined ? '' : `, from ${older}`}`)
  console.log(`  ${JSON.stringify(tally)}`)
  for (const name of NEVER) if (tally[name] > 0) run.wrong(`${way}: ${tally[name]} ${name}`)
  for (const [kind, counts] of Object.entries(operators.answers)) {
    const sorted = [...counts].sort(([one], [other]) => one - other)
    console.log(`  ${kind}: ${sorted.map(([status, times]) => `${times} × ${status || 'no answer'}`).join(', ')}`)
  }
  const gap = led.longestGapSeconds
  console.log(
    `  leader: ${led.changes} changes, longest without one ${gap.toFixed(1)} s   ${run.verdict(`${way}: a leader within ${LEADER_WITHIN_SECONDS} s`, gap <= LEADER_WITHIN_SECONDS)}`,
  )
  const longestWait = Math.max(...devices.map(({ longestWaitMs }) => longestWaitMs)) / SECOND_MS
  console.log(`  the longest that a device waited for its acknowledgement: ${longestWait.toFixed(1)} s`)
  for (const sentence of operators.failedReads.slice(0, 5)) console.log(`  a read failed twice: ${sentence}`)
  // A killed process may break both reads; one that is stopped must break none.
  if (way !== 'kills' && operators.failedReads.length > 0)
    run.wrong(`${way}: ${operators.failedReads.length} reads failed twice`)
  if (tally.reports === 0 || tally.writes === 0 || tally.executed === 0) run.wrong(`${way}: there was no load`)
}
