import type pg from 'pg'
import type { Judge } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { type BenchDevice, DISPLAY_COLUMNS } from './benchDevices.ts'
import { type LogSpan, placeInLog, printLogWriters } from './logWriters.ts'
import type { Measured, Target } from './Target.ts'

/** A shape has so many connections, each with so many reports under way, and aims at a part of the ceiling. */
export interface Shape {
  readonly name: string
  readonly connections: number
  readonly inFlight: number
  readonly aimRatio: number
  /** Of what a second of processor stores. */
  readonly mustRatio: number
  readonly columns: readonly string[] | 'agent'
  readonly mustBytes: number
}

export const SHAPES: readonly Shape[] = [
  {
    name: '100x40',
    connections: 100,
    inFlight: 40,
    aimRatio: 1,
    mustRatio: 0.5,
    columns: DISPLAY_COLUMNS,
    mustBytes: 15,
  },
  {
    name: '100x10',
    connections: 100,
    inFlight: 10,
    aimRatio: 0.9,
    mustRatio: 0.8,
    columns: DISPLAY_COLUMNS,
    mustBytes: 15,
  },
  {
    name: '1000x1',
    connections: 1000,
    inFlight: 1,
    aimRatio: 0.9,
    mustRatio: 0.5,
    columns: DISPLAY_COLUMNS,
    mustBytes: 15,
  },
]

/** What the agent really sends: looks of up to ten packets, of 2 to 29 values. */
export const AGENT_SHAPE: Shape = {
  name: 'agent',
  connections: 1000,
  inFlight: 10,
  aimRatio: 0.9,
  mustRatio: 0.8,
  columns: 'agent',
  mustBytes: 10,
}

const WARM_UP_SECONDS = 2
/** They suffice for a 99th percentile. */
const HALF_LOAD_SECONDS = 2
const TENTH_SECONDS = 4
const MUST_RATIO = 0.2
const AIM_BYTES = 10
const AIM_WAL_BYTES = 14
const MUST_WAL_BYTES = 20
const AIM_P99_RATIO = 3

export interface ShapeDeps {
  readonly db: pg.Client
  readonly devices: readonly BenchDevice[]
  readonly product: Target
  readonly ceiling: Target
  readonly rounds: number
  readonly seconds: number
  readonly firstAtMs: number
}

interface Side {
  readonly full: Measured
  readonly half: Measured
}

interface Round {
  readonly product: Side
  readonly ceiling: Side
}

/** Product and ceiling take turns, so that other load of the machine affects both. */
export async function measureShape(judge: Judge, { connections, inFlight, columns, ...shape }: Shape, deps: ShapeDeps) {
  const { db, product, ceiling, rounds, seconds, firstAtMs } = deps
  const devices = deps.devices.slice(0, connections)
  // One checkpoint comes before all measurements, so that its whole pages are written during the warm-up.
  await db.query('checkpoint')
  for (const target of [product, ceiling]) {
    await target.open({ devices, columns, firstAtMs })
    await target.send(inFlight, WARM_UP_SECONDS)
  }
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const productFull = await product.measure(inFlight, seconds)
    const ceilingFull = await ceiling.measure(inFlight, seconds)
    measured.push({
      product: { full: productFull, half: await halfLoad(product, productFull, inFlight) },
      ceiling: { full: ceilingFull, half: await halfLoad(ceiling, ceilingFull, inFlight) },
    })
  }
  const ceilingRate = median(measured, (round) => round.ceiling.full.reportsPerSecond)
  const tenth = await tenthLoad(deps, ceilingRate / 10, inFlight)
  for (const target of [product, ceiling]) await target.close()
  print(judge, { connections, inFlight, columns, ...shape }, measured, tenth)
  await printLogWriters(db, tenth.log, tenth.values)
}

const halfLoad = (target: Target, { reportsPerSecond }: Measured, inFlight: number) =>
  target.measure(inFlight, HALF_LOAD_SECONDS, reportsPerSecond / 2)

type Tenth = Measured & { readonly log: LogSpan }

/** The rate is a tenth of the ceiling's, so that the load is the same however the product changes. */
async function tenthLoad({ db, product }: ShapeDeps, reportsPerSecond: number, inFlight: number): Promise<Tenth> {
  const from = await placeInLog(db)
  const measured = await product.measure(inFlight, TENTH_SECONDS, reportsPerSecond)
  return { ...measured, log: { from, to: await placeInLog(db) } }
}

const median = (rounds: readonly Round[], of: (round: Round) => number) => quantile(rounds.map(of), 0.5)

const whole = (value: number) => Math.round(value).toLocaleString('en-US')

function print(
  judge: Judge,
  { name, connections, inFlight, aimRatio, mustRatio, mustBytes }: Shape,
  rounds: readonly Round[],
  tenth: Tenth,
) {
  console.log(`\n${connections} connections × ${inFlight} in flight: medians of ${rounds.length} rounds`)
  const row = openTable(['product', 'ceiling', 'ratio', 'aim'])
  const compared = (what: string, of: (side: Side) => number, aim: string | number = '', note = '', digits = 1) => {
    const product = median(rounds, (round) => of(round.product))
    const ceiling = median(rounds, (round) => of(round.ceiling))
    const shown = (value: number) => (digits === 0 ? whole(value) : value)
    row(what, [shown(product), shown(ceiling), ratioOf(rounds, of).toFixed(2), aim], note)
  }
  const rate = ({ full }: Side) => full.reportsPerSecond
  const ratio = ratioOf(rounds, rate)
  const ofRate = judge.verdict(`the ratio to the ceiling in ${name}`, ratio >= MUST_RATIO, ratio >= aimRatio)
  compared('reports/s', rate, `≥ ${aimRatio}`, ofRate, 0)
  compared('processor µs/report, server', ({ full }) => full.serverMicros)
  compared('processor µs/report, database', ({ full }) => full.databaseMicros)
  const speed = ratioOf(rounds, speedByProcessor)
  const ofSpeed = judge.verdict(`the processor time in ${name}`, speed >= mustRatio, speed >= aimRatio)
  compared('reports a second of processor', speedByProcessor, `≥ ${aimRatio}`, ofSpeed, 0)
  compared('PUBACK p50 ms', ({ full }) => full.p50Ms)
  const p99Ratio = ratioOf(rounds, ({ full }) => full.p99Ms)
  const ofP99 = judge.verdict(`the wait in ${name}`, true, p99Ratio <= AIM_P99_RATIO)
  compared('PUBACK p99 ms', ({ full }) => full.p99Ms, `≤ ${AIM_P99_RATIO}`, ofP99)
  const wal = median(rounds, ({ product }) => product.full.walBytesPerValue)
  const ofWal = judge.verdict(`the log of a value in ${name}`, wal <= MUST_WAL_BYTES, wal <= AIM_WAL_BYTES)
  compared('WAL bytes/value', ({ full }) => full.walBytesPerValue, `≤ ${AIM_WAL_BYTES} B`, ofWal)
  const bytes = median(rounds, ({ product }) => product.full.bytesPerValue)
  const ofBytes = judge.verdict(`the size of a value in ${name}`, bytes <= mustBytes, bytes <= AIM_BYTES)
  compared('bytes/value with indexes', ({ full }) => full.bytesPerValue, `≤ ${AIM_BYTES} B`, ofBytes)
  compared('half load: reports/s', ({ half }) => half.reportsPerSecond, '', '', 0)
  compared('half load: PUBACK p50 ms', ({ half }) => half.p50Ms)
  const halfRatio = ratioOf(rounds, ({ half }) => half.p99Ms)
  const ofHalf = judge.verdict(`the wait at half load in ${name}`, true, halfRatio <= AIM_P99_RATIO)
  compared('half load: PUBACK p99 ms', ({ half }) => half.p99Ms, `≤ ${AIM_P99_RATIO}`, ofHalf)
  row("a tenth of the ceiling's load: reports", [whole(tenth.acknowledged)])
  row('  PUBACK p99 ms', [tenth.p99Ms])
  row('  processor µs/report, server', [tenth.serverMicros])
  row('  processor µs/report, database', [tenth.databaseMicros])
}

/** How fast a side is by the time that it used, which no other load of the machine changes. The load counts too. */
const speedByProcessor = ({ full: { serverMicros, databaseMicros, loadMicros } }: Side) =>
  1_000_000 / (serverMicros + databaseMicros + loadMicros)

/** Returns the median of the rounds' ratios, not the ratio of two medians. */
const ratioOf = (rounds: readonly Round[], of: (side: Side) => number) =>
  median(rounds, ({ product, ceiling }) => of(product) / of(ceiling))
