import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { eventually, insertDevices } from '#server/testing/devices/gatewayFixture.ts'
import { count, SEED } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { closeBooks, NEVER } from '../load/books.ts'
import { FleetDevice } from '../load/FleetDevice.ts'
import { Operators } from '../load/Operators.ts'
import { tellWarnings } from '../servers/logSummary.ts'
import { OwnDatabase } from '../servers/OwnDatabase.ts'
import { ServerProgram } from '../servers/ServerProgram.ts'

const OPERATORS = 4
/** The time between two reports by the clocks of devices. */
const STEP_MS = MINUTE_MS
/** A device has so many reports under way (FleetDevice). */
const IN_FLIGHT = 2
const LOOKS = 120
/** The UPS load is anything below 100, so the alert of each device changes over and over. */
const LOAD_FIELD = 5104
const TURNS_AT = 50
/** The growth is compared with the second quarter, because the first warms up. */
const MOST_GROWTH = 1.25
const MORE_FILES = 20
const FOLDED_WITHIN_MS = 3 * MINUTE_MS

type SoakRun = Run<Readonly<{ seed: number; devices: number; hours: number; minutes: number }>>

/** The state of the server at one moment. */
interface Look {
  readonly residentMegabytes: number
  readonly openFiles: number
  readonly connections: number
}

export const soak = describeTrial({
  name: 'soak',
  proves:
    'A day of a fleet in minutes, with operators at work and alerts that turn all the time, loses nothing and leaves nothing behind in the server.',
  options: {
    seed: SEED,
    devices: count(41, 'devices that report once a minute of their own clocks'),
    hours: count(24, 'hours by the clocks of devices'),
    minutes: count(10, 'minutes in which they pass'),
  },
  brief: { devices: 5, hours: 2, minutes: 1 },
  async run(run: SoakRun) {
    const { devices: fleet, hours, minutes } = run.options
    const server = await ServerProgram.prepare({ folder: run.folder, name: 'server', hold: (child) => run.hold(child) })
    await server.start()
    const database = await OwnDatabase.open(join(run.folder, 'data'))
    const { owner } = database
    const inserted = await insertDevices(owner, fleet, { modelId: 1 })
    const deviceIds = inserted.map(({ id }) => id)
    await owner.query('update device set status_id = 2')
    await owner.query(
      `insert into alert_condition (device_id, field_id, operator_code, value_dec) select unnest($1::int[]), $2, 'GT', $3`,
      [deviceIds, LOAD_FIELD, TURNS_AT],
    )
    const tokens: string[] = []
    for (let index = 0; index < OPERATORS; index++) {
      tokens.push(await openSession(owner, await addUser(owner, { username: `soak ${index}`, functions: [2] })))
    }
    const chance = () => run.chance()
    const reports = (hours * HOUR_MS) / STEP_MS
    const everyMs = (IN_FLIGHT * minutes * MINUTE_MS) / reports
    const pace = { everyMs, stepMs: STEP_MS, sinceMs: Date.now() - hours * HOUR_MS }
    const devices = inserted.map((device) => new FleetDevice(device, server.mqttPort, chance, pace))
    const operators = new Operators({ httpUrl: server.httpUrl, tokens, deviceIds, chance })

    const looks: Look[] = []
    for (let turn = 0; turn < LOOKS; turn++) {
      await sleep((minutes * MINUTE_MS) / LOOKS)
      looks.push(await lookAt(server.pid, owner))
    }
    const tally = await closeBooks(owner, devices, operators)
    console.log(`  ${JSON.stringify(tally)}`)
    for (const name of NEVER) if (tally[name] > 0) run.wrong(`${tally[name]} ${name}`)
    const expected = 0.5 * reports * fleet
    if (tally.reports < expected) run.wrong(`only ${tally.reports} of ${reports * fleet} reports were made`)
    tellGrowth(run, looks)
    const left = await eventually(
      () => leftToFold(owner),
      (marks) => marks === 0,
      FOLDED_WITHIN_MS,
    )
    console.log(`  left to be worked out in the end: ${left}`)
    if (left > 0) run.wrong(`${left} hours or stretches were not worked out`)
    await database.close()
    await server.stop()
    await tellWarnings(run.folder)
  },
})

async function lookAt(pid: number | undefined, owner: pg.Pool): Promise<Look> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const { rows } = await owner.query<{ connections: number }>(
    `select count(*)::int as connections from pg_stat_activity where backend_type = 'client backend'`,
  )
  return {
    residentMegabytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    connections: rows[0]?.connections ?? 0,
  }
}

function tellGrowth(run: SoakRun, looks: readonly Look[]): void {
  const quarter = looks.length / 4
  const row = openTable(['2nd quarter', '4th quarter', 'most'], 14)
  const tell = (name: string, of: (look: Look) => number, most: (before: number) => number) => {
    const [before, after] = [looks.slice(quarter, 2 * quarter), looks.slice(3 * quarter)].map((some) =>
      quantile(some.map(of), 0.5),
    ) as [number, number]
    row(name, [String(before), String(after), most(before).toFixed(0)])
    if (after > most(before)) run.wrong(`${name} went from ${before} to ${after}`)
  }
  tell(
    'memory, MB',
    ({ residentMegabytes }) => residentMegabytes,
    (before) => before * MOST_GROWTH,
  )
  tell(
    'open files',
    ({ openFiles }) => openFiles,
    (before) => before + MORE_FILES,
  )
  tell(
    'connections to PostgreSQL',
    ({ connections }) => connections,
    (before) => before + MORE_FILES,
  )
}

/** Hours that are not over do not count. */
async function leftToFold(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ left: number }>(
    `select ((select count(*) from rollup_due) + (select count(*) from alert_refold))::int as left`,
  )
  return rows[0]?.left ?? 0
}
