import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { insertDevices, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { count } from '../../frame/options.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import type { LoadAnswer, LoadQuestion } from '../ingest/loadGenerator.ts'
import { PROBED_ABOVE, PROBED_FIELD, Probe } from './probe.ts'
import { compareFields, lookAtTwoFields } from './twoFields.ts'

const LOAD_DEVICES = 500
const LOAD_SECONDS = 40
const WARM_UP_PROBES = 10
const USERS = 10
const FIELDS = ['internal_temp', 'intake_temp', 'exhaust_temp', 'backlight_level', 'brightness'] as const
/** Display 1 has event type 4 and number 1, counted from the first ordinal. */
const FIRST_DISPLAY_FIELD = 4101
/** The load never reports as much as these conditions ask for. */
const NEVER_MET = 1_000_000
/** The product has read them by then. */
const SETTLES_MS = 3_000
/** An operator takes the first for immediate; a busy fleet may turn it into the second. */
const AIMS = { idle: { p50: 5, p95: 50 }, loaded: { p50: undefined, p95: 100 } } as const

export const alerts = describeTrial({
  name: 'alerts',
  proves: 'How soon after its reading an alert is on an open screen and in the list, idle and under load.',
  options: {
    probes: count(200, 'alerts for each wait'),
    rules: count(10_000, 'conditions'),
    pairs: count(1_000, 'of them that look at two fields', 0),
    rounds: count(3, 'rounds in which conditions of one field and of two take turns', 0),
    reportsPerSecond: count(10_000, 'reports a second under load'),
  },
  async run(run) {
    const { probes, rules, pairs, rounds, reportsPerSecond } = run.options
    const database = await run.database()
    const owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'trial owner' })
    const [probed, ...devices] = await insertDevices(owner, LOAD_DEVICES + 1)
    if (probed === undefined) throw new Error('There is no device.')
    await owner.query('update device set status_id = 2')
    await insertRules(owner, [probed], 1, PROBED_FIELD, PROBED_ABOVE)
    const tokens = await openSessions(owner)
    const { httpUrl, mqttUrl } = await run.product(database, { areDevicesUnlimited: true })
    const probe = await Probe.open({ httpUrl, mqttUrl, device: probed, tokens })
    await measure(probe, WARM_UP_PROBES)
    print('idle', await measure(probe, probes), AIMS.idle)

    await insertRules(owner, devices, Math.ceil(rules / devices.length), FIRST_DISPLAY_FIELD, NEVER_MET)
    const conditions = { firstFieldId: FIRST_DISPLAY_FIELD, fields: FIELDS.length, ofLoad: NEVER_MET }
    await lookAtTwoFields(owner, conditions, pairs)
    await sleep(SETTLES_MS)
    const load = run.worker(new URL('../ingest/loadGenerator.ts', import.meta.url))
    const ports = [Number(new URL(mqttUrl).port)]
    const opened = { open: 'product', ports, devices, columns: FIELDS, firstAtMs: Date.now() - 3_600_000 }
    await load.ask(opened satisfies LoadQuestion)
    const question = { send: 'product', seconds: LOAD_SECONDS, inFlight: 10, reportsPerSecond }
    let isLoading = true
    const loading = load.ask<LoadAnswer>(question satisfies LoadQuestion).finally(() => {
      isLoading = false
    })
    // The compilers need this to warm up.
    await sleep(3_000)
    const loaded = await measure(probe, probes, () => isLoading)
    print(`${rules} rules, ${pairs} of them of two fields, ${reportsPerSecond} reports/s asked`, loaded, AIMS.loaded)
    const { reportsPerSecond: arrived, p50Ms, p99Ms } = await loading
    const rate = Math.round(arrived).toLocaleString('en-US')
    console.log(`arrived: ${rate} reports/s; acknowledged after p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`)
    const send = (seconds: number) => load.ask<LoadAnswer>({ ...question, seconds } satisfies LoadQuestion)
    await compareFields({ owner, conditions, rules, rounds, send })
    probe.close()
    await owner.end()
  },
})

/** Inserts conditions on consecutive fields of each device. */
async function insertRules(
  owner: pg.Pool,
  devices: readonly TestDevice[],
  perDevice: number,
  firstField: number,
  above: number,
): Promise<void> {
  await owner.query(
    `insert into alert_condition (device_id, field_id, operator_code, value_dec)
     select device, $3 + n % $4, 'GT', $5 + n from unnest($1::int[]) as device, generate_series(0, $2::int - 1) as n`,
    [devices.map(({ id }) => id), perDevice, firstField, FIELDS.length, above],
  )
}

async function openSessions(owner: pg.Pool): Promise<string[]> {
  const tokens: string[] = []
  for (let index = 0; index < USERS; index++) {
    const userId = await addUser(owner, { username: `alerts ${Date.now()} ${index}`, functions: [2] })
    tokens.push(await openSession(owner, userId))
  }
  return tokens
}

interface Latencies {
  readonly heardMs: number[]
  readonly listedMs: number[]
}

async function measure(probe: Probe, probes: number, goesOn = () => true): Promise<Latencies> {
  const latencies: Latencies = { heardMs: [], listedMs: [] }
  for (let index = 0; index < probes && goesOn(); index++) {
    latencies.heardMs.push(await probe.untilHeard())
    latencies.listedMs.push(await probe.untilListed())
  }
  return latencies
}

type Aim = { readonly p50: number | undefined; readonly p95: number }

function print(name: string, { heardMs, listedMs }: Latencies, aim: Aim): void {
  console.log(`\n${name}, ${heardMs.length} alerts each`)
  const row = openTable(['p50 ms', 'p95 ms', 'p50 of aim', 'p95 of aim'], 16)
  for (const [where, all] of [
    ['live stream', heardMs],
    ['GetAlertList', listedMs],
  ] as const) {
    const [p50, p95] = [quantile(all, 0.5), quantile(all, 0.95)]
    row(where, [p50, p95, aim.p50 === undefined ? '-' : (p50 / aim.p50).toFixed(2), (p95 / aim.p95).toFixed(2)])
  }
}
