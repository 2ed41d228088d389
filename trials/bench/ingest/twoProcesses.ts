import type pg from 'pg'
import { holdToShare } from '../../frame/processorShare.ts'
import type { Judge, Run } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import type { Worker } from '../../frame/Worker.ts'
import { type BenchDevice, DISPLAY_COLUMNS, insertBenchDevices } from './benchDevices.ts'
import { type Measured, Target } from './Target.ts'

const CONNECTIONS = 1000
const IN_FLIGHT = 1
const MOVED = 100
const MOVES = 6
const MOVE_SECONDS = 0.5
const WARM_UP_SECONDS = 2
const AIM_RATIO = 1.6

interface ProcessesDeps {
  readonly db: pg.Client
  readonly urls: { readonly ownerUrl: string; readonly applicationUrl: string }
  readonly rounds: number
  readonly seconds: number
  /** Each process has so many per cent of one core; 0 means no limit. */
  readonly processorShare: number
}

type ProcessesRun = Judge & Pick<Run<Readonly<Record<string, never>>>, 'worker' | 'serverWorker' | 'wrong'>

/** Compares two processes on one database with one, by turns; then devices move between the two. */
export async function measureTwoProcesses(run: ProcessesRun, deps: ProcessesDeps) {
  const { db, urls, rounds, seconds, processorShare } = deps
  const { ownerUrl, applicationUrl } = urls
  const devices = await insertBenchDevices(db, 2 * CONNECTIONS + MOVED)
  const servers = [0, 1].map(() => run.serverWorker(new URL('./gatewayServer.ts', import.meta.url)))
  const ports: number[] = []
  for (const server of servers) {
    ports.push((await server.ask<{ port: number }>({ start: { ownerUrl, applicationUrl } })).port)
  }
  const shares = processorShare === 0 ? [] : servers.map(({ child }) => holdToShare(child.pid ?? 0, processorShare))
  const load = run.worker(new URL('./loadGenerator.ts', import.meta.url))
  const side = (name: string, to: readonly number[]) =>
    new Target({ db, load, name, ports: to, tables: ['reading_display'] })
  const [one, two] = [side('one', ports.slice(0, 1)), side('two', ports)]
  const opened = { columns: DISPLAY_COLUMNS, firstAtMs: Date.now() - 600_000 }
  await one.open({ ...opened, devices: devices.slice(0, CONNECTIONS) })
  await two.open({ ...opened, devices: devices.slice(CONNECTIONS, 2 * CONNECTIONS) })
  for (const target of [one, two]) await target.send(IN_FLIGHT, WARM_UP_SECONDS)
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) {
    measured.push({ two: await two.measure(IN_FLIGHT, seconds), one: await one.measure(IN_FLIGHT, seconds) })
  }
  for (const target of [one, two]) await target.close()
  print(run, measured, processorShare)
  const moved = devices.slice(2 * CONNECTIONS)
  await moveBetween(run, ports, moved)
  // A process has written everything once it has ended.
  await Promise.all(servers.map((server) => server.end()))
  for (const giveUp of shares) giveUp()
  const wrong = await statesUnlikeReadings(db, moved)
  console.log(`state of ${MOVED} devices that were at both by turns: ${wrong} values unlike the fold of the readings`)
  if (wrong > 0) run.wrong(`${wrong} values of the current state are not those of the readings`)
}

type Round = { readonly one: Measured; readonly two: Measured }

function print(judge: Judge, measured: readonly Round[], processorShare: number) {
  const size = processorShare === 0 ? '' : ` of ${processorShare} % of a core each`
  console.log(`\nTwo processes${size}: ${CONNECTIONS} connections × ${IN_FLIGHT}; medians of ${measured.length} rounds`)
  const row = openTable(['two', 'one', 'ratio', 'aim'])
  const median = (of: (round: (typeof measured)[number]) => number) => quantile(measured.map(of), 0.5)
  const compared = (what: string, of: (side: Measured) => number, aim = '', note = '') =>
    row(
      what,
      [
        median(({ two }) => of(two)),
        median(({ one }) => of(one)),
        median(({ one, two }) => of(two) / of(one)).toFixed(2),
        aim,
      ],
      note,
    )
  const ratio = median(({ one, two }) => two.reportsPerSecond / one.reportsPerSecond)
  const verdict = judge.verdict('the speed of two processes', true, ratio >= AIM_RATIO)
  compared('reports/s', ({ reportsPerSecond }) => reportsPerSecond, `≥ ${AIM_RATIO}`, verdict)
  compared('PUBACK p99 ms', ({ p99Ms }) => p99Ms)
}

/** Each stay reports other fields, so that a state is right only when it includes reports to the other process. */
async function moveBetween(run: ProcessesRun, ports: readonly number[], devices: readonly BenchDevice[]) {
  const loads = ports.map(() => run.worker(new URL('./loadGenerator.ts', import.meta.url)))
  let firstAtMs = Date.now() - 300_000
  for (let move = 0; move < MOVES; move++, firstAtMs += 10_000) {
    const at = move % ports.length
    const load = loads[at] as Worker
    const columns = DISPLAY_COLUMNS.filter((_, index) => index % 3 !== move % 3)
    // The earlier stay ends only after this one has begun: for a moment the device is at both.
    await load.ask({ open: 'stay', ports: [ports[at]], devices, columns, firstAtMs })
    const before = loads[1 - at] as Worker
    await Promise.all([
      load.ask({ send: 'stay', seconds: MOVE_SECONDS, inFlight: 2, reportsPerSecond: 0 }),
      before.ask({ send: 'stay', seconds: MOVE_SECONDS, inFlight: 2, reportsPerSecond: 0 }),
    ])
    await before.ask({ close: 'stay' })
  }
  for (const load of loads) await load.ask({ close: 'stay' })
}

async function statesUnlikeReadings(db: pg.Client, devices: readonly BenchDevice[]): Promise<number> {
  const newest = DISPLAY_COLUMNS.map(
    (name) =>
      `(array_agg("${name}" order by device_dt desc) filter (where "${name}" is not null))[1] as "${name}",
       max(device_dt) filter (where "${name}" is not null) as "${name}_at"`,
  )
  const unlike = DISPLAY_COLUMNS.map(
    (name) => `(s.fields -> '${name}' is distinct from
      jsonb_build_array(r."${name}", floor(extract(epoch from r."${name}_at") * 1000)::bigint))::int`,
  )
  const { rows } = await db.query<{ wrong: string }>(
    `with r as (select device_id, ${newest.join(', ')} from reading_display
       where device_id in (select id from device where guid = any($1)) and number = 1 group by device_id)
     select coalesce(sum(${unlike.join(' + ')}), 0) as wrong
     from r left join device_state s on s.device_id = r.device_id and s.event_type_id = 4 and s.number = 1`,
    [devices.map(({ guid }) => guid)],
  )
  return Number(rows[0]?.wrong)
}
