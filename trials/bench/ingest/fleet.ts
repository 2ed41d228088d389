import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Judge, Run } from '../../frame/Run.ts'
import { openTable } from '../../frame/table.ts'
import { insertBenchDevices } from './benchDevices.ts'
import type { BookedLoad } from './FleetBook.ts'
import type { FleetQuestion } from './fleetLoad.ts'
import { placeInLog, printLogWriters } from './logWriters.ts'
import { processorTimeOf } from './processorTime.ts'

/** After the last device connected, the first rows are written and every device has its place in the minute. */
const SETTLE_SECONDS = 10
const AIM_WAL_BYTES = 14
/** Twenty is what it must be; small rows, each with its key, stand in the way (docs/decisions/0310). */
const MUST_WAL_BYTES = 20
const PAGE_BYTES = 8192

interface FleetDeps {
  readonly db: pg.Client
  readonly urls: { readonly ownerUrl: string; readonly applicationUrl: string }
  readonly devices: number
  readonly seconds: number
  readonly addresses: number
}

type FleetRun = Judge & Pick<Run<Readonly<Record<string, never>>>, 'worker' | 'serverWorker'>

/** Measures devices that report like the agent: everything once a minute, and changes in between. */
export async function measureFleet(run: FleetRun, { db, urls, devices: count, seconds, addresses }: FleetDeps) {
  const { ownerUrl, applicationUrl } = urls
  const devices = await insertBenchDevices(db, count)
  const server = run.serverWorker(new URL('./gatewayServer.ts', import.meta.url))
  const fleet = run.worker(new URL('./fleetLoad.ts', import.meta.url))
  const ask = <Answer>(question: FleetQuestion) => fleet.ask<Answer>(question)
  const { port } = await server.ask<{ port: number }>({ start: { ownerUrl, applicationUrl } })
  await ask({ connect: devices, port, addresses, reports: true })
  await sleep(SETTLE_SECONDS * 1000)
  const before = await written(db)
  const { answer: booked, ...used } = await processorTimeOf(db, [server], () =>
    ask<BookedLoad>({ measure: { seconds } }),
  )
  const after = await written(db)
  await ask({ end: 'all' })
  if (booked.packets === 0) throw new Error('No report of the fleet was acknowledged.')
  const { packets, values, p50Ms, p99Ms, longestPauseMs } = booked
  console.log(`\nFleet: ${count} devices report for ${seconds} s as the agent does`)
  const row = openTable(['product', 'aim'])
  row('reports/s', [packets / seconds])
  row('reports a device a minute', [(packets / seconds / count) * 60])
  row('values a report', [values / packets])
  const walBytes = after.bytes - before.bytes
  const wal = walBytes / values
  row(
    'WAL bytes/value',
    [wal, `≤ ${AIM_WAL_BYTES}`],
    run.verdict('the log of a value of a fleet', wal <= MUST_WAL_BYTES, wal <= AIM_WAL_BYTES),
  )
  row('  of these whole pages, at most', [((after.wholePages - before.wholePages) * PAGE_BYTES) / values])
  row('WAL kB/s', [walBytes / 1000 / seconds])
  row('processor µs/report, server', [(used.serverMs * 1000) / packets])
  row('processor µs/report, database', [(used.databaseMs * 1000) / packets])
  row('PUBACK p50 ms', [p50Ms])
  row('PUBACK p99 ms', [p99Ms])
  row('longest wait of all without PUBACK ms', [longestPauseMs])
  await printLogWriters(db, { from: before.place, to: after.place }, values)
}

/** Reads the written log. Whole pages follow each checkpoint, every five minutes and not before this measurement. */
async function written(db: pg.Client) {
  const place = await placeInLog(db)
  const { rows } = await db.query<{ bytes: string; pages: string }>(
    `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes, (select wal_fpi from pg_stat_wal) as pages`,
  )
  return { place, bytes: Number(rows[0]?.bytes), wholePages: Number(rows[0]?.pages) }
}
