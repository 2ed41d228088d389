import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { connect, type MqttClient } from 'mqtt'
import type pg from 'pg'
import { HOUR_MS } from '#domain/units/time.ts'
import { readNowFacts } from '#server/darkness/now/nowFacts.ts'
import { judged, readKept } from '#server/darkness/now/verdictRows.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import { readCurrentState } from '#server/telemetry/state/currentState.ts'
import { passTime } from '#testing/passTime.ts'
import { alertMoves, replayedMoves } from '../devices/alertHistory.ts'
import { LOAD_FIELD } from '../devices/alertProcesses.ts'
import type { TestDevice } from '../devices/gatewayFixture.ts'
import { eventually } from '../devices/gatewayFixture.ts'
import { kill } from './powerKills.ts'

const IN_FLIGHT = 5
/** Devices report hours that are over: some reports before the end of one, and on into the next. */
const FIRST_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS - 30_000
const STEP_MS = 1_000
/** The load in percent; it changes every second. */
const THRESHOLD = 50
/** What was repeated after the last kill is acknowledged by then. */
const SETTLED_WITHIN_MS = 60_000

/** A device that publishes one report after the other, and records what it sent and what was acknowledged. */
class Publisher {
  readonly device: TestDevice
  readonly #client: MqttClient
  readonly #chance: () => number
  readonly #firstMs = FIRST_MS
  /** The sent value by device time. */
  readonly sent = new Map<number, number>()
  readonly acknowledged = new Set<number>()
  #isStopping = false
  inFlight = 0

  constructor(device: TestDevice, port: number, chance: () => number) {
    this.device = device
    this.#chance = chance
    this.#client = connect(`mqtt://127.0.0.1:${port}`, {
      username: device.guid,
      password: device.key,
      reconnectPeriod: 50,
      connectTimeout: 2000,
    })
    this.#client.on('error', () => undefined)
    for (let index = 0; index < IN_FLIGHT; index++) this.#publish()
  }

  #publish(): void {
    const at = this.#firstMs + this.sent.size * STEP_MS
    const value = Math.floor(this.#chance() * 100)
    this.sent.set(at, value)
    this.inFlight++
    const report = JSON.stringify({ at: new Date(at).toISOString(), values: { load: value } })
    // The client itself repeats what was not acknowledged when the connection broke.
    this.#client.publish(`v1/devices/${this.device.guid}/events/ups`, report, { qos: 1 }, (error) => {
      this.inFlight--
      if (!error) this.acknowledged.add(at)
      if (!this.#isStopping) setTimeout(() => this.#publish(), 2)
    })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await eventually(
      async () => this.inFlight,
      (count) => count === 0,
      SETTLED_WITHIN_MS,
    )
    this.#client.end(true)
  }
}

interface Urls {
  readonly ownerUrl: string
  readonly applicationUrl: string
}

async function startProcess(urls: Urls, port: number): Promise<{ child: ChildProcess; port: number }> {
  const script = new URL('./serverProcess.ts', import.meta.url)
  const child = fork(script, [urls.ownerUrl, urls.applicationUrl, String(port)], { execArgv: [] })
  const [message] = await once(child, 'message')
  return { child, port: Number(new URL((message as { mqttUrl: string }).mqttUrl).port) }
}

export interface ReportKillDeps {
  readonly databaseUrls: Urls
  readonly owner: pg.Pool
  readonly devices: readonly TestDevice[]
  /** Each round is one kill, which disconnects every device. */
  readonly rounds: Iterable<number>
  readonly chance: () => number
}

export interface ReportTally {
  readonly sent: number
  readonly acknowledged: number
  readonly stored: number
  /** Everything from here on has to be 0. */
  readonly lost: number
  readonly twice: number
  readonly invented: number
  readonly altered: number
  /** Counts devices whose current state differs from their newest reading. */
  readonly wrongStates: number
  readonly wrongHours: number
  /** Counts devices whose alerts differ from what their readings say. @param from no reading is older */
  readonly wrongAlerts: number
  /** Counts devices whose stored verdict differs from a new one. */
  readonly wrongVerdicts: number
}

/**
 * Kills the whole server that takes reports again and again. Then it compares what is stored with what the devices
 * know, and all that follows from it with a new computation.
 */
export async function killAroundReports({ databaseUrls, owner, devices, rounds, chance }: ReportKillDeps) {
  await watchLoad(owner)
  let { child, port } = await startProcess(databaseUrls, 0)
  const publishers = devices.map((device) => new Publisher(device, port, chance))
  const acknowledged = () => publishers.reduce((sum, publisher) => sum + publisher.acknowledged.size, 0)
  for (const _ of rounds) {
    // Each device has been heard once more on average, however busy the machine is.
    const before = acknowledged()
    await eventually(
      async () => acknowledged() - before,
      (count) => count >= devices.length,
      SETTLED_WITHIN_MS,
    )
    await passTime(chance() * 500, 'the blow falls anywhere')
    await kill(child)
    child = (await startProcess(databaseUrls, port)).child
  }
  await Promise.all(publishers.map((publisher) => publisher.stop()))
  // The process after the last kill has to do all that was left.
  await kill(child)
  child = (await startProcess(databaseUrls, port)).child
  const wrongVerdicts = await eventually(
    async () => ((await leftToDo(owner)) === 0 ? await devicesWithWrongVerdict(owner, devices) : devices.length),
    (count) => count === 0,
    SETTLED_WITHIN_MS,
  )
  await kill(child)
  const beforeAll = new Date(FIRST_MS - 1)
  const wrong = {
    wrongHours: await wrongHours(owner),
    wrongAlerts: await wrongAlerts(owner, devices, beforeAll),
    wrongVerdicts,
  }
  return compare(owner, publishers, wrong)
}

/** Gives every device an alert condition on its load. */
export async function watchLoad(owner: pg.Pool): Promise<void> {
  await owner.query('update device set status_id = 2')
  await owner.query(
    `insert into alert_condition (device_id, field_id, operator_code, value_dec)
     select id, ${LOAD_FIELD}, 'GT', ${THRESHOLD} from device`,
  )
}

/** Counts what is to be worked out from readings yet; an hour that has not ended waits for its end. */
export async function leftToDo(owner: pg.Pool): Promise<number> {
  return Object.values(await leftByTable(owner)).reduce((sum, count) => sum + count, 0)
}

export async function leftByTable(owner: pg.Pool): Promise<Readonly<Record<string, number>>> {
  const { rows } = await owner.query<Record<string, number>>(
    `select (select count(*) from state_mark where from_at < date_trunc('hour', now()))::int as state_mark, (select count(*) from rollup_mark)::int as rollup_mark,
       (select count(*) from rollup_due where hours & finished_hours(day, now()) <> 0)::int as rollup_due,
       (select count(*) from alert_refold)::int as alert_refold,
       (select count(*) from device_connection)::int as device_connection`,
  )
  return rows[0] ?? {}
}

async function devicesWithWrongVerdict(owner: pg.Pool, devices: readonly TestDevice[]): Promise<number> {
  const ids = devices.map(({ id }) => id)
  const now = new Date()
  const [facts, kept] = [await readNowFacts(owner, ids, now), await readKept(owner, ids)]
  return ids.filter((id) => {
    const [device, its] = [facts.get(id), kept.get(id)]
    return device === undefined || its === undefined || judged(id, device, its, now).isNews
  }).length
}

/** Counts hours that a new computation from all readings has and the stored ones lack, or the reverse. */
export async function wrongHours(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ wrong: number }>(
    `with kept as (
       select r.device_id, r.day + (slot.number - 1) * interval '1 hour' as hour, slot.minimum, slot.maximum, slot.count
       from rollup r cross join lateral unnest(r.minima, r.maxima, r.counts) with ordinality
         as slot (minimum, maximum, count, number)
       where r.field_id = ${LOAD_FIELD} and slot.count > 0
     ), anew as (
       select device_id, date_trunc('hour', device_dt at time zone 'UTC') as hour, min(load) as minimum,
         max(load) as maximum, count(*)::int as count
       from readings_of_ups where device_dt < date_trunc('hour', now()) and ${isBelieved()} group by 1, 2
     )
     select count(*)::int as wrong from kept full join anew using (device_id, hour)
     where (kept.minimum, kept.maximum, kept.count) is distinct from (anew.minimum, anew.maximum, anew.count)`,
  )
  return rows[0]?.wrong ?? 0
}

/** Counts devices whose alerts differ from what their readings say. @param from no reading is older */
export async function wrongAlerts(owner: pg.Pool, devices: readonly TestDevice[], from: Date): Promise<number> {
  let wrong = 0
  for (const { id } of devices) {
    const rule = { deviceId: id, fieldId: LOAD_FIELD, threshold: THRESHOLD, periodMs: 0, from }
    const [kept, anew] = [await alertMoves(owner, id), await replayedMoves(owner, rule)]
    if (!isDeepStrictEqual(kept, anew)) wrong++
  }
  return wrong
}

type WorkedOut = Pick<ReportTally, 'wrongHours' | 'wrongAlerts' | 'wrongVerdicts'>

async function compare(owner: pg.Pool, publishers: readonly Publisher[], workedOut: WorkedOut): Promise<ReportTally> {
  const tally = {
    ...{ sent: 0, acknowledged: 0, stored: 0, lost: 0, twice: 0, invented: 0, altered: 0, wrongStates: 0 },
    ...workedOut,
  }
  for (const { device, sent, acknowledged } of publishers) {
    // On a busy machine reports stay the same distance behind, as those of a wrong clock, whose times are corrected.
    const { rows } = await owner.query<{ device_dt: Date; sent_at: Date; load: number }>(
      `select device_dt, coalesce(claimed_at, device_dt) as sent_at, load from readings_of_ups where device_id = $1
       order by device_dt desc`,
      [device.id],
    )
    const stored = new Map(rows.map((row) => [row.sent_at.getTime(), row.load]))
    tally.sent += sent.size
    tally.acknowledged += acknowledged.size
    tally.stored += rows.length
    tally.twice += rows.length - stored.size
    const [newest] = rows
    const [state] = await readCurrentState(owner, device.id)
    if (state?.at.getTime() !== newest?.device_dt.getTime() || state?.value !== newest?.load) tally.wrongStates++
    for (const at of acknowledged) if (!stored.has(at)) tally.lost++
    for (const [at, value] of stored) {
      if (!sent.has(at)) tally.invented++
      else if (sent.get(at) !== value) tally.altered++
    }
  }
  return tally
}
