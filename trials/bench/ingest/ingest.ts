import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { count } from '../../frame/options.ts'
import { describeTrial } from '../../frame/trial.ts'
import type { Worker } from '../../frame/Worker.ts'
import type { LoadAnswer, LoadQuestion } from './loadGenerator.ts'
import { printResults, type RunResult } from './results.ts'
import { CEILING_TABLE } from './tables.ts'

type BenchDevice = { readonly guid: string; readonly key: string }

/** Twenty numbers of a display. */
const COLUMNS = [
  'internal_temp',
  'intake_temp',
  'exhaust_temp',
  'humidity',
  'fan1_speed',
  'fan2_speed',
  'fan3_speed',
  'fan4_speed',
  'fan1_speed_target',
  'fan2_speed_target',
  'fan3_speed_target',
  'fan4_speed_target',
  'backlight_level',
  'brightness',
  'contrast',
  'gamma_value',
  'red_color_balance',
  'green_color_balance',
  'blue_color_balance',
  'ambient_light',
] as const

const IDLE_CONNECTIONS = 500
/** At half load, so many seconds are enough for a 99th percentile. */
const HALF_LOAD_SECONDS = 4

export const ingest = describeTrial({
  name: 'ingest',
  proves: 'The gateway and the write path against a bare socket server on the same machine in the same run.',
  options: {
    reports: count(200_000, 'reports at full speed'),
    connections: count(100, 'connections'),
    inFlight: count(10, 'reports of a connection on their way'),
  },
  async run(run) {
    const { ownerUrl, applicationUrl, isOwner } = await run.database()
    const db = new pg.Client({ connectionString: ownerUrl })
    await db.connect()
    console.log(await describePlace(db))
    await makeCeilingTable(db)
    const { connections } = run.options
    const devices = await insertDevices(db, Math.max(connections, IDLE_CONNECTIONS))
    const load = run.worker(new URL('./loadGenerator.ts', import.meta.url))
    const product = run.worker(new URL('./gatewayServer.ts', import.meta.url), ['--expose-gc'])
    const ceiling = run.worker(new URL('./ceilingServer.ts', import.meta.url))
    const { port } = await product.ask<{ port: number }>({ start: applicationUrl, asApplication: isOwner })
    const bareAt = await ceiling.ask<{ port: number }>({ start: ownerUrl, columns: COLUMNS })
    const bytesPerConnection = await memoryPerConnection(product, load, port, devices)
    const bench = new Bench(db, load, run.options, devices.slice(0, connections))
    // Compilers and caches warm up on both sides before anything counts.
    await bench.warmUp(port)
    await bench.warmUp(bareAt.port)
    const ceilingFull = await bench.full('ceiling', bareAt.port, CEILING_TABLE)
    const productFull = await bench.full('product', port, 'reading_display')
    const ceilingHalf = await bench.half(bareAt.port, ceilingFull.reportsPerSecond / 2)
    const productHalf = await bench.half(port, productFull.reportsPerSecond / 2)
    const counters = await product.ask<{ batchesStored: number; reportsStored: number }>({ tell: 'counters' })
    printResults(run, { productFull, ceilingFull, productHalf, ceilingHalf, bytesPerConnection, counters })
    await db.end()
  },
})

async function describePlace(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ version: string; fsync: string }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync`,
  )
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}, PostgreSQL ${rows[0]?.version}`
  return `Reports of ${COLUMNS.length} values; ${machine}, fsync ${rows[0]?.fsync}\n`
}

async function makeCeilingTable(db: pg.Client) {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await db.query(`drop table if exists ${CEILING_TABLE}`)
  await db.query(`create table ${CEILING_TABLE} (like reading_display including all) partition by range (device_dt)`)
  for (const day of [today - DAY_MS, today]) {
    const text = new Date(day).toISOString()
    await db.query(
      `create table ${CEILING_TABLE}_${text.slice(0, 10).replaceAll('-', '')} partition of ${CEILING_TABLE}
       for values from ('${text}') to ('${new Date(day + DAY_MS).toISOString()}')`,
    )
  }
}

async function insertDevices(db: pg.Client, count: number): Promise<BenchDevice[]> {
  await db.query(`insert into customer (name) values ('Benchmark') on conflict do nothing`)
  const devices = Array.from({ length: count }, () => ({
    guid: randomUUID(),
    key: randomBytes(32).toString('base64url'),
  }))
  const hashes = devices.map(({ key }) => createHash('sha256').update(key).digest())
  await db.query(
    `with made as (
       insert into device (guid, name, model_id, customer_id, iot_device_id)
       select g, 'Bench ' || g, 15, (select min(id) from customer), g from unnest($1::uuid[]) g returning id, guid)
     insert into device_credential (device_id, key_hash, first_used_at)
     select made.id, given.hash, now() from made join unnest($1::uuid[], $2::bytea[]) given(guid, hash) using (guid)`,
    [devices.map(({ guid }) => guid), hashes],
  )
  return devices
}

async function memoryPerConnection(product: Worker, load: Worker, port: number, devices: readonly BenchDevice[]) {
  const before = await product.ask<{ bytes: number }>({ tell: 'memory' })
  await load.ask({ hold: { port, devices } })
  const after = await product.ask<{ bytes: number }>({ tell: 'memory' })
  await load.ask({ let: 'go' })
  return (after.bytes - before.bytes) / devices.length
}

interface IngestOptions {
  readonly reports: number
  readonly inFlight: number
}

class Bench {
  readonly #db: pg.Client
  readonly #load: Worker
  readonly #options: IngestOptions
  readonly #devices: readonly BenchDevice[]
  /** Every run has device times of its own, each younger than all before. */
  #nextAtMs = Date.now() - 3_600_000

  constructor(db: pg.Client, load: Worker, options: IngestOptions, devices: readonly BenchDevice[]) {
    this.#db = db
    this.#load = load
    this.#options = options
    this.#devices = devices
  }

  async warmUp(port: number): Promise<void> {
    await this.#run(port, Math.min(this.#options.reports, 30_000), 0)
  }

  async full(name: string, port: number, table: string): Promise<RunResult> {
    const { reports } = this.#options
    await this.#db.query('checkpoint')
    const before = await this.#sizes(table)
    const answer = await this.#run(port, reports, 0)
    const after = await this.#sizes(table)
    const values = answer.acknowledged * COLUMNS.length
    if (after.rows - before.rows !== answer.acknowledged) {
      throw new Error(
        `${name}: ${answer.acknowledged} reports were acknowledged, ${after.rows - before.rows} are stored.`,
      )
    }
    return {
      reportsPerSecond: answer.acknowledged / answer.seconds,
      valuesPerSecond: values / answer.seconds,
      p50Ms: answer.p50Ms,
      p99Ms: answer.p99Ms,
      bytesPerValue: (after.bytes - before.bytes) / values,
      walBytesPerValue: (after.wal - before.wal) / values,
    }
  }

  async half(port: number, reportsPerSecond: number): Promise<LoadAnswer> {
    await this.#db.query('checkpoint')
    const reports = Math.min(this.#options.reports, Math.round(reportsPerSecond * HALF_LOAD_SECONDS))
    return this.#run(port, reports, reportsPerSecond)
  }

  #run(port: number, reports: number, reportsPerSecond: number): Promise<LoadAnswer> {
    const firstAtMs = this.#nextAtMs
    this.#nextAtMs += Math.ceil(reports / this.#devices.length) + 1
    const question: LoadQuestion = {
      port,
      devices: this.#devices,
      columns: COLUMNS,
      reports,
      inFlight: this.#options.inFlight,
      reportsPerSecond,
      firstAtMs,
    }
    return this.#load.ask<LoadAnswer>(question)
  }

  async #sizes(table: string): Promise<{ rows: number; bytes: number; wal: number }> {
    const { rows } = await this.#db.query<{ rows: string; bytes: string; wal: string }>(
      `select (select count(*) from ${table}) as rows,
         (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = '${table}'::regclass) as bytes,
         pg_current_wal_lsn() - '0/0'::pg_lsn as wal`,
    )
    return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes), wal: Number(rows[0]?.wal) }
  }
}
