import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Run } from '../../frame/Run.ts'
import { openTable } from '../../frame/table.ts'
import type { Worker } from '../../frame/Worker.ts'
import { insertBenchDevices } from './benchDevices.ts'
import type { FleetQuestion } from './fleetLoad.ts'

const SETTLE_MS = 5_000
const AIM_KB = 12
const AIM_REST_MB = 95
const KB = 1024

interface MemoryDeps {
  readonly db: pg.Client
  readonly database: Awaited<ReturnType<Run<Readonly<Record<string, never>>>['database']>>
  readonly connections: number
  readonly addresses: number
}

type MemoryRun = Pick<Run<Readonly<Record<string, never>>>, 'worker' | 'product' | 'verdict' | 'endWorkers'>

/** Measures what a connection keeps in the whole server: while silent, and after its device has reported everything. */
export async function measureMemory(run: MemoryRun, { db, database, connections, addresses }: MemoryDeps) {
  const devices = await insertBenchDevices(db, connections)
  console.log('\nMemory: the whole server at rest, and what each connection adds; "live" is in use, without spare room')
  const row = openTable(['at rest MB', 'idle KB', 'live', 'reported KB', 'live'])
  const { worker, mqttUrl } = await run.product(database, { areDevicesUnlimited: true })
  const fleet = run.worker(new URL('./fleetLoad.ts', import.meta.url))
  const ask = (question: FleetQuestion) => fleet.ask(question)
  const port = Number(new URL(mqttUrl).port)
  const atRest = await settledMemory(worker)
  const addedKb = (now: Memory) =>
    [now.bytes - atRest.bytes, now.liveBytes - atRest.liveBytes].map((bytes) => bytes / connections / KB)
  await ask({ connect: devices, port, addresses, reports: false })
  const idle = addedKb(await settledMemory(worker))
  await ask({ begin: 'reports' })
  const reported = addedKb(await settledMemory(worker))
  await ask({ end: 'all' })
  const restMb = atRest.bytes / KB / KB
  const isAim = (reported[0] ?? 0) <= AIM_KB && restMb <= AIM_REST_MB
  row(`${connections} connections`, [restMb, ...idle, ...reported], run.verdict('the memory', true, isAim))
  row('aim', [`≤ ${AIM_REST_MB}`, `≤ ${AIM_KB}`, '', `≤ ${AIM_KB}`, ''])
  await run.endWorkers()
}

interface Memory {
  readonly bytes: number
  readonly liveBytes: number
}

async function settledMemory(worker: Worker): Promise<Memory> {
  await sleep(SETTLE_MS)
  return worker.ask<Memory>({ tell: 'memory' })
}
