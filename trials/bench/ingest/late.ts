import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Judge, Run } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { DISPLAY_COLUMNS, insertBenchDevices } from './benchDevices.ts'
import { type Measured, Target } from './Target.ts'

const CONNECTIONS = 100
const IN_FLIGHT = 10
const BEHIND_MS = 2 * HOUR_MS
/** The reports of one device in one measurement then lie all over the outage. */
const STEP_MS = 7_000
const AIM_RATIO = 0.8
const SETTLE_WITHIN_MS = 40_000
const SETTLED_AFTER_MS = 4_000
const WARM_UP_SECONDS = 3

interface LateDeps {
  readonly db: pg.Client
  readonly database: Awaited<ReturnType<Run<Readonly<Record<string, never>>>['database']>>
  readonly rounds: number
  readonly seconds: number
}

type LateRun = Judge & Pick<Run<Readonly<Record<string, never>>>, 'worker' | 'product'>

/** A fleet back from an outage reports two hours at full speed, by turns with one that reports the present. */
export async function measureLate(run: LateRun, { db, database, rounds, seconds }: LateDeps) {
  const devices = await insertBenchDevices(db, 2 * CONNECTIONS)
  const { mqttUrl } = await run.product(database, { areDevicesUnlimited: true })
  const load = run.worker(new URL('./loadGenerator.ts', import.meta.url))
  const ports = [Number(new URL(mqttUrl).port)]
  const side = (name: string) => new Target({ db, load, name, ports, tables: ['reading_display'] })
  const [live, late] = [side('live'), side('late')]
  const nowMs = Date.now()
  const columns = DISPLAY_COLUMNS
  await live.open({ devices: devices.slice(0, CONNECTIONS), columns, firstAtMs: nowMs - 120_000 })
  const times = { firstAtMs: nowMs - BEHIND_MS, stepMs: STEP_MS, spanMs: BEHIND_MS - HOUR_MS / 60 }
  await late.open({ devices: devices.slice(CONNECTIONS), columns, ...times })
  for (const target of [live, late]) await target.send(IN_FLIGHT, WARM_UP_SECONDS)
  const measured: { live: Measured; late: Measured; settledMs: number }[] = []
  await settled(db)
  for (let round = 0; round < rounds; round++) {
    const ofLive = await live.measure(IN_FLIGHT, seconds)
    const ofLate = await late.measure(IN_FLIGHT, seconds)
    measured.push({ live: ofLive, late: ofLate, settledMs: await settled(db) })
  }
  for (const target of [live, late]) await target.close()
  console.log(
    `\nLate: ${CONNECTIONS} connections × ${IN_FLIGHT} in flight tell the last two hours; medians of ${rounds} rounds`,
  )
  const row = openTable(['late', 'live', 'ratio', 'aim'])
  const median = (of: (round: (typeof measured)[number]) => number) => quantile(measured.map(of), 0.5)
  const compared = (what: string, of: (side: Measured) => number, aim = '', note = '') => {
    const ratio = median((round) => of(round.late) / of(round.live))
    row(what, [median((round) => of(round.late)), median((round) => of(round.live)), ratio.toFixed(2), aim], note)
  }
  const ratio = median((round) => round.late.reportsPerSecond / round.live.reportsPerSecond)
  const verdict = run.verdict('the speed of late reports', true, ratio >= AIM_RATIO)
  compared('reports/s', ({ reportsPerSecond }) => reportsPerSecond, `≥ ${AIM_RATIO}`, verdict)
  compared('PUBACK p50 ms', ({ p50Ms }) => p50Ms)
  compared('PUBACK p99 ms', ({ p99Ms }) => p99Ms)
  compared('WAL bytes/value', ({ walBytesPerValue }) => walBytesPerValue)
  row('hours worked out after s', [median(({ settledMs }) => settledMs / 1000)])
}

/** Waits until no finished hour is left to roll up: otherwise the next measurement pays for the late one. */
async function settled(db: pg.Client): Promise<number> {
  const beganAt = performance.now()
  let lastWaiting = ''
  let movedAt = beganAt
  while (performance.now() - movedAt < SETTLED_AFTER_MS && performance.now() - beganAt < SETTLE_WITHIN_MS) {
    const { rows } = await db.query<{ waiting: string | null; marks: string }>(
      `select (select count(*) from rollup_mark) as marks, (select count(*) || ' ' || sum(bit_count(hours::bit(24))) from rollup_due) as waiting`,
    )
    const waiting = Number(rows[0]?.marks) === 0 ? (rows[0]?.waiting ?? 'none') : ''
    if (waiting !== lastWaiting || waiting === '') movedAt = performance.now()
    lastWaiting = waiting
    await sleep(200)
  }
  return movedAt - beganAt
}
