import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, PASSWORD } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { askServer } from '#server/testing/wholeServer/wholeServer.ts'
import type { Judge, Run } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { insertBenchDevices } from './benchDevices.ts'
import type { FleetQuestion, LedgerAnswer, StormAnswer } from './fleetLoad.ts'

/** All devices have reported everything by then, and the server rests. */
const SETTLE_SECONDS = 8
const GIVEN_UP_AFTER_SECONDS = 150
const SIGN_IN_EVERY_MS = 250
const PRESENCE_WITHIN_MS = 30_000
const AIM_BACK_MS = 15_000
const AIM_PAUSE_MS = 1000
const AIM_SIGN_IN_MS = 500

interface StormDeps {
  readonly db: pg.Client
  readonly database: Awaited<ReturnType<Run<Readonly<Record<string, never>>>['database']>>
  readonly devices: number
  readonly addresses: number
}

type StormRun = Judge & Pick<Run<Readonly<Record<string, never>>>, 'worker' | 'product'>

/** Cuts a reporting fleet off at once; it returns, while a person signs in to the same server. */
export async function measureStorm(run: StormRun, { db, database, devices: count, addresses }: StormDeps) {
  const devices = await insertBenchDevices(db, count)
  const username = 'storm'
  const owner = openPool(database.ownerUrl, { maximumConnections: 1, name: 'trial owner' })
  await addUser(owner, { username, functions: [2] })
  await owner.end()
  const { httpUrl, mqttUrl } = await run.product(database)
  const fleet = run.worker(new URL('./fleetLoad.ts', import.meta.url))
  const ask = <Answer>(question: FleetQuestion) => fleet.ask<Answer>(question)
  const port = Number(new URL(mqttUrl).port)
  const beganAt = performance.now()
  await ask({ connect: devices, port, addresses, reports: true })
  const connectedMs = performance.now() - beganAt
  await sleep(SETTLE_SECONDS * 1000)
  const quiet = new SignIns(httpUrl, username)
  await sleep(3000)
  const quietMs = await quiet.end()
  const signIns = new SignIns(httpUrl, username)
  const storm = await ask<StormAnswer>({ cut: { withinSeconds: GIVEN_UP_AFTER_SECONDS } })
  const signInMs = await signIns.end()
  console.log(`\nStorm: ${count} devices are cut at once (connecting them took ${(connectedMs / 1000).toFixed(1)} s)`)
  print(run, storm, { quietMs, signInMs })
  await comparePresence(run, db, () => ask<LedgerAnswer>({ tell: 'ledger' }))
  await ask({ end: 'all' })
}

/** Sign-ins come at an even rate, but none before the last was answered. */
class SignIns {
  readonly #took: number[] = []
  readonly #done: Promise<void>
  #goesOn = true

  constructor(httpUrl: string, username: string) {
    this.#done = this.#keepOn(httpUrl, username)
  }

  async end(): Promise<readonly number[]> {
    this.#goesOn = false
    await this.#done
    return this.#took
  }

  async #keepOn(httpUrl: string, username: string): Promise<void> {
    while (this.#goesOn) {
      const beganAt = performance.now()
      const asked = { token: '', method: 'POST' as const, body: { username, password: PASSWORD } }
      const { status } = await askServer(httpUrl, 'App/Login', asked)
      if (status !== 200) throw new Error(`Signing in was refused with ${status}.`)
      const tookMs = performance.now() - beganAt
      this.#took.push(tookMs)
      await sleep(Math.max(0, SIGN_IN_EVERY_MS - tookMs))
    }
  }
}

interface Waits {
  readonly quietMs: readonly number[]
  readonly signInMs: readonly number[]
}

function print(judge: Judge, storm: StormAnswer, { quietMs, signInMs }: Waits) {
  const row = openTable(['storm', 'aim', 'quiet'])
  const seconds = (ms: number) => (Number.isNaN(ms) ? 'never' : (ms / 1000).toFixed(2))
  const isBack = storm.mostBackMs <= AIM_BACK_MS
  row(
    '99 % back after s',
    [seconds(storm.mostBackMs), `≤ ${AIM_BACK_MS / 1000}`],
    judge.verdict('the way back', true, isBack),
  )
  row('all back after s', [seconds(storm.allBackMs)])
  row('everything acknowledged after s', [seconds(storm.acknowledgedMs)])
  row('refused', [String(storm.refused)])
  row('no answer within 15 s', [String(storm.timedOut)])
  row('ended before, after they were let in', [`${storm.droppedEarly}, ${storm.droppedLate}`])
  const isSteady = storm.longestPauseMs <= AIM_PAUSE_MS
  const ofPause = judge.verdict('the flow of acknowledgements', true, isSteady)
  row('longest wait of all without PUBACK ms', [storm.longestPauseMs, `≤ ${AIM_PAUSE_MS}`], ofPause)
  row('PUBACK p50, p99 ms', [`${storm.p50Ms.toFixed(0)}, ${storm.p99Ms.toFixed(0)}`])
  const slowest = Math.max(...signInMs)
  const ofSignIn = judge.verdict('signing in', true, slowest <= AIM_SIGN_IN_MS)
  row('signing in: slowest ms', [slowest, `≤ ${AIM_SIGN_IN_MS}`, Math.max(...quietMs)], ofSignIn)
  row('signing in: median ms', [quantile(signInMs, 0.5), '', quantile(quietMs, 0.5)], `${signInMs.length} times`)
  row('the load itself stood still for ms', [storm.loadDelayMs])
}

/** Compares what the server recorded of each device with what the device went through. */
async function comparePresence(judge: Judge, db: pg.Client, readLedger: () => Promise<LedgerAnswer>) {
  const different = async () => {
    const [{ devices }, { rows }] = [
      await readLedger(),
      await db.query<{ guid: string; states: string }>(
        `select guid, string_agg(is_online::int::text, '' order by at) as states
         from device join device_presence_history on device_id = device.id group by guid`,
      ),
    ]
    const written = new Map(rows.map(({ guid, states }) => [guid, states]))
    const unlike = devices.filter(({ guid, went }) => !new RegExp(`^${went}$`).test(written.get(guid) ?? ''))
    const wrongNow = unlike.filter(({ guid, went }) => written.get(guid)?.at(-1) !== went.at(-1))
    return { unlike: unlike.length, wrongNow: wrongNow.length, all: devices.length }
  }
  const { unlike, wrongNow, all } = await eventually(different, (found) => found.unlike === 0, PRESENCE_WITHIN_MS)
  console.log(`presence history: ${all - unlike} of ${all} devices as they went through it; ${wrongNow} wrong now`)
  judge.verdict('presence now', wrongNow === 0)
  judge.verdict('the history of presence', unlike === 0)
}
