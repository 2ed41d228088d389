import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SECOND_MS } from '#domain/units/time.ts'
import { ServerProgram } from '../../drill/servers/ServerProgram.ts'
import type { Run } from '../../frame/Run.ts'
import { insertBenchDevices } from '../ingest/benchDevices.ts'
import type { FleetQuestion } from '../ingest/fleetLoad.ts'

const BACK_WITHIN_MS = 30 * SECOND_MS
const GIVEN_UP_AFTER_MS = 180 * SECOND_MS
const SETTLE_MS = 5 * SECOND_MS
const LOOK_EVERY_MS = 100

type ConnectionsRun = Pick<
  Run<Readonly<Record<string, never>>>,
  'worker' | 'database' | 'verdict' | 'folder' | 'hold' | 'endWorkers'
>

/** Measures the cost of silent connections, and how long all take to return after the server was killed. */
export async function measureConnections(run: ConnectionsRun, connections: number, addresses: number): Promise<void> {
  const database = await run.database()
  const db = new pg.Client({ connectionString: database.ownerUrl })
  await db.connect()
  const devices = await insertBenchDevices(db, connections)
  const server = await ServerProgram.prepare({
    database,
    folder: run.folder,
    name: 'server',
    hold: (child) => run.hold(child),
  })
  await server.start()
  await sleep(SETTLE_MS)
  const atRest = residentKb(server.pid)
  const load = run.worker(new URL('../ingest/fleetLoad.ts', import.meta.url))
  const ask = <Answer>(question: FleetQuestion) => load.ask<Answer>(question)
  const beganAt = performance.now()
  await ask({ connect: devices, port: server.mqttPort, addresses, reports: false })
  const connectedMs = performance.now() - beganAt
  await sleep(SETTLE_MS)
  const eachKb = (residentKb(server.pid) - atRest) / connections
  console.log(
    `\n${connections} connections (of at most ${execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()} files a process)`,
  )
  console.log(
    `  connected after ${(connectedMs / SECOND_MS).toFixed(1)} s; ${eachKb.toFixed(1)} kB each as the system counts it`,
  )
  await server.kill()
  const killedAt = performance.now()
  await server.start()
  const startedMs = performance.now() - killedAt
  let [backMs, up] = [Number.POSITIVE_INFINITY, 0]
  while (performance.now() - killedAt < GIVEN_UP_AFTER_MS && !Number.isFinite(backMs)) {
    await sleep(LOOK_EVERY_MS)
    ;({ up } = await ask<{ up: number }>({ tell: 'up' }))
    if (up === connections) backMs = performance.now() - killedAt
  }
  const verdict = run.verdict(`all ${connections} back after a kill`, backMs <= BACK_WITHIN_MS)
  console.log(
    `  the server was killed, and ready again after ${(startedMs / SECOND_MS).toFixed(1)} s; ${up} back after ${(backMs / SECOND_MS).toFixed(1)} s   ${verdict} (must ${BACK_WITHIN_MS / SECOND_MS} s)`,
  )
  await ask({ end: 'all' })
  await server.stop()
  await db.end()
  await run.endWorkers()
}

const residentKb = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN)
