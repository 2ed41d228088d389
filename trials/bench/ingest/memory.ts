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

interface MemoryNeeds {
  readonly db: pg.Client
  readonly database: Awaited<ReturnType<Run<Readonly<Record<string, never>>>['database']>>
  readonly connections: number
  readonly addresses: number
}

type MemoryRun = Pick<Run<Readonly<Record<string, never>>>, 'worker' | 'product' | 'verdict' | 'endWorkers'>

/** What a connection keeps in the whole server: while it says nothing, and when its device has told everything. */
export async function measureMemory(run: MemoryRun, { db, database, connections, addresses }: MemoryNeeds) {
  const devices = await insertBenchDevices(db, connections)
  console.log('\nMemory: the whole server at rest, and what each connection adds')
  const row = openTable(['at rest MB', 'idle KB', 'reported KB'])
  for (const count of [Math.round(connections / 2), connections]) {
    const { worker, mqttUrl } = await run.product(database, { areDevicesUnlimited: true })
    const fleet = run.worker(new URL('./fleetLoad.ts', import.meta.url))
    const ask = (question: FleetQuestion) => fleet.ask(question)
    const port = Number(new URL(mqttUrl).port)
    const atRest = await settledBytes(worker)
    await ask({ connect: devices.slice(0, count), port, addresses, reports: false })
    const idle = ((await settledBytes(worker)) - atRest) / count / KB
    await ask({ begin: 'reports' })
    const reported = ((await settledBytes(worker)) - atRest) / count / KB
    await ask({ end: 'all' })
    const restMb = atRest / KB / KB
    const verdict = run.verdict('the memory', true, reported <= AIM_KB && restMb <= AIM_REST_MB)
    row(`${count} connections`, [restMb, idle, reported], verdict)
    await run.endWorkers()
  }
  row('aim', [`≤ ${AIM_REST_MB}`, `≤ ${AIM_KB}`, `≤ ${AIM_KB}`])
}

async function settledBytes(worker: Worker): Promise<number> {
  await sleep(SETTLE_MS)
  const { bytes } = await worker.ask<{ bytes: number }>({ tell: 'memory' })
  return bytes
}
