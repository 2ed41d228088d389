import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openPool } from '#server/db/pool.ts'
import { addUser, openSession } from '#server/testing/callers.ts'
import { insertDevices, type TestDevice } from '#server/testing/gatewayFixture.ts'
import { Worker } from '../../frame/Worker.ts'
import type { LoadAnswer, LoadQuestion } from '../ingest/loadGenerator.ts'
import { openPlace } from '../place.ts'
import { PROBED_ABOVE, PROBED_FIELD, Probe } from './probe.ts'

export interface AlertBenchOptions {
  /** How often each latency is measured. */
  readonly probes: number
  readonly rules: number
  readonly reportsPerSecond: number
}

const LOAD_DEVICES = 500
const LOAD_SECONDS = 40
const WARM_UP_PROBES = 10
const USERS = 10
const FIELDS = ['internal_temp', 'intake_temp', 'exhaust_temp', 'backlight_level', 'brightness'] as const
/** Display 1: event type 4, number 1, from the first ordinal on. */
const FIRST_DISPLAY_FIELD = 4101
/** Issue: alerts, point 1. */
const AIMS = { idle: { p50: 10, p95: 50 }, loaded: { p50: undefined, p95: 100 } } as const

/** From the publishing of a reading to its alert on an open screen and in the list, idle and under load. */
export async function alertBenchmark(options: AlertBenchOptions): Promise<void> {
  const place = await openPlace()
  const owner = openPool(place.ownerUrl, { maximumConnections: 3, name: 'bench' })
  const product = new Worker(new URL('../../frame/productServer.ts', import.meta.url))
  const load = new Worker(new URL('../ingest/loadGenerator.ts', import.meta.url))
  const interrupted = () => place.close().finally(() => process.exit(130))
  process.once('SIGINT', interrupted)
  try {
    const [probed, ...devices] = await insertDevices(owner, LOAD_DEVICES + 1)
    if (probed === undefined) throw new Error('There is no device.')
    await owner.query('update device set status_id = 2')
    await insertRules(owner, [probed], 1, PROBED_FIELD, PROBED_ABOVE)
    const tokens = await openSessions(owner)
    const addresses = await product.ask<{ httpUrl: string; mqttUrl: string }>({
      start: place,
      areDevicesUnlimited: true,
    })
    const probe = await Probe.open({ ...addresses, device: probed, tokens })
    await measure(probe, WARM_UP_PROBES)
    print('idle', await measure(probe, options.probes), AIMS.idle)

    await insertRules(owner, devices, Math.ceil(options.rules / devices.length), FIRST_DISPLAY_FIELD, 1_000_000)
    const question = loadOf(Number(new URL(addresses.mqttUrl).port), devices, options)
    let isLoading = true
    const loading = load.ask<LoadAnswer>(question).finally(() => {
      isLoading = false
    })
    // Until everybody is connected and the compilers are warm.
    await sleep(5_000)
    const loaded = await measure(probe, options.probes, () => isLoading)
    print(`${options.rules} rules, ${options.reportsPerSecond} reports/s asked`, loaded, AIMS.loaded)
    const { acknowledged, seconds, p50Ms, p99Ms } = await loading
    const rate = Math.round(acknowledged / seconds).toLocaleString('en-US')
    console.log(`  arrived: ${rate} reports/s; acknowledged after p50 ${fine(p50Ms)} ms, p99 ${fine(p99Ms)} ms`)
    probe.close()
  } finally {
    await Promise.allSettled([load.end(), product.end()])
    await owner.end()
    process.off('SIGINT', interrupted)
    await place.close()
  }
}

/** Conditions on consecutive fields of each device. */
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

function loadOf(port: number, devices: readonly TestDevice[], { reportsPerSecond }: AlertBenchOptions): LoadQuestion {
  return {
    port,
    devices,
    columns: FIELDS,
    reports: reportsPerSecond * LOAD_SECONDS,
    inFlight: 10,
    reportsPerSecond,
    firstAtMs: Date.now() - 3_600_000,
  }
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
  console.log(`${name}, ${heardMs.length} alerts each`)
  for (const [where, all] of [
    ['live stream', heardMs],
    ['GetAlertList', listedMs],
  ] as const) {
    const [p50, p95] = [quantile(all, 0.5), quantile(all, 0.95)]
    const ratios = `p95 is ${fine(p95 / aim.p95)} of the ${aim.p95} ms allowed`
    const half = aim.p50 === undefined ? '' : `, p50 ${fine(p50 / aim.p50)} of ${aim.p50} ms`
    console.log(`  ${where.padEnd(12)} p50 ${fine(p50)} ms  p95 ${fine(p95)} ms   (${ratios}${half})`)
  }
}

const fine = (value: number) => value.toFixed(1)

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
