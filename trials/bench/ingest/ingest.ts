import { availableParallelism } from 'node:os'
import pg from 'pg'
import { count, oneOf, words } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { describeTrial } from '../../frame/trial.ts'
import type { Worker } from '../../frame/Worker.ts'
import { DISPLAY_COLUMNS, insertBenchDevices } from './benchDevices.ts'
import {
  AGENT_CEILING,
  AGENT_REPORTS,
  CEILING_REPORTS,
  type CeilingTable,
  DISPLAY_CEILING,
  makeCeilingTables,
} from './ceilingTable.ts'
import { measureFleet } from './fleet.ts'
import { measureLate } from './late.ts'
import { measureMemory } from './memory.ts'
import { AGENT_SHAPE, measureShape, SHAPES, type Shape, type ShapeDeps } from './shapes.ts'
import { measureStorm } from './storm.ts'
import { Target } from './Target.ts'
import { measureTwoProcesses } from './twoProcesses.ts'

/** Device times of one shape follow those of the shape before. */
const SHAPE_MS = 600_000

const options = {
  only: oneOf(['shapes', 'agent', 'fleet', 'late', 'storm', 'memory', 'processes'], 'one part'),
  shape: words(`only connections x reports of each in flight, as in ${SHAPES.map(({ name }) => name).join(', ')}`),
  rounds: count(5, 'rounds, product and ceiling by turns'),
  seconds: count(3, 'seconds of a measure at full speed'),
  fleetDevices: count(10_000, 'devices of the fleet'),
  fleetSeconds: count(60, 'seconds for which the fleet is measured'),
  stormDevices: count(2000, 'devices of the storm'),
  memoryConnections: count(10_000, 'connections whose memory is measured, first half of them'),
  addresses: count(1, 'addresses of this machine from which the devices of fleets come'),
  processorShare: count(0, 'per cent of a core that each of two processes has, by a control group; 0: no limit', 0),
}

type IngestRun = Run<{ readonly [Name in keyof typeof options]: (typeof options)[Name]['absent'] }>
type Part = (run: IngestRun, database: Database, db: pg.Client) => Promise<void>
type Database = Awaited<ReturnType<IngestRun['database']>>

export const ingest = describeTrial({
  name: 'ingest',
  proves: 'The gateway and the write path against a bare socket server on the same machine in the same run.',
  options,
  async run(run) {
    const { only, shape } = run.options
    const asked = shape === '' ? only : 'shapes'
    for (const [name, measure] of Object.entries(PARTS)) {
      if (asked === '' || asked === name) await inDatabaseOfItsOwn(run, measure)
    }
  },
})

/** Servers that keep connections would disturb the next part. */
async function inDatabaseOfItsOwn(run: IngestRun, measure: Part) {
  const database = await run.database()
  const db = new pg.Client({ connectionString: database.ownerUrl })
  await db.connect()
  await measure(run, database, db)
  await db.end()
  await run.endWorkers()
}

const PARTS: Readonly<Record<string, Part>> = {
  async shapes(run, database, db) {
    await measureShapes(run, database, { db, shapes: askedShapes(run.options.shape), tables: DISPLAY_CEILING })
  },
  async agent(run, database, db) {
    await measureShapes(run, database, { db, shapes: [AGENT_SHAPE], tables: AGENT_CEILING })
  },
  async fleet(run, urls, db) {
    const { fleetDevices: devices, fleetSeconds: seconds, addresses } = run.options
    await measureFleet(run, { db, urls, devices, seconds, addresses })
  },
  async late(run, database, db) {
    const { rounds, seconds } = run.options
    await measureLate(run, { db, database, rounds, seconds })
  },
  async storm(run, database, db) {
    const { stormDevices: devices, addresses } = run.options
    await measureStorm(run, { db, database, devices, addresses })
  },
  async memory(run, halfDatabase, halfDb) {
    const { memoryConnections: connections, addresses } = run.options
    await measureMemory(run, {
      db: halfDb,
      database: halfDatabase,
      connections: Math.round(connections / 2),
      addresses,
    })
    // A server reads at its start what others left, so each number of devices has a database of its own.
    await inDatabaseOfItsOwn(run, (_run, database, db) => measureMemory(run, { db, database, connections, addresses }))
  },
  async processes(run, urls, db) {
    const { rounds, seconds, processorShare } = run.options
    await measureTwoProcesses(run, { db, urls, rounds, seconds, processorShare })
  },
}

interface ShapesDeps {
  readonly db: pg.Client
  readonly shapes: readonly Shape[]
  readonly tables: readonly CeilingTable[]
}

async function measureShapes(run: IngestRun, database: Database, { db, shapes, tables }: ShapesDeps) {
  console.log(await describePlace(db))
  await makeCeilingTables(db, tables)
  const devices = await insertBenchDevices(db, Math.max(...shapes.map(({ connections }) => connections)))
  const { productServer, ...sides } = await startSides(run, database, { db, tables })
  const { rounds, seconds } = run.options
  for (const [index, shape] of shapes.entries()) {
    const firstAtMs = Date.now() - (shapes.length - index) * SHAPE_MS
    await measureShape(run, shape, { db, devices, ...sides, rounds, seconds, firstAtMs })
  }
  await printBatches(productServer)
}

function askedShapes(asked: string): readonly Shape[] {
  if (asked === '') return SHAPES
  const known = SHAPES.find(({ name }) => name === asked)
  if (known !== undefined) return [known]
  const [, connections, inFlight] = /^(\d+)x(\d+)$/.exec(asked) ?? []
  if (!Number(connections) || !Number(inFlight))
    throw new Error(`--shape needs two numbers as in 100x40, not "${asked}".`)
  return [
    {
      name: asked,
      connections: Number(connections),
      inFlight: Number(inFlight),
      aimRatio: 0.7,
      mustRatio: 0.5,
      columns: DISPLAY_COLUMNS,
      mustBytes: 15,
    },
  ]
}

async function describePlace(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ version: string; fsync: string }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync`,
  )
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}, PostgreSQL ${rows[0]?.version}`
  return `${machine}, fsync ${rows[0]?.fsync}`
}

type Sides = Pick<ShapeDeps, 'product' | 'ceiling'> & { readonly productServer: Worker }

async function startSides(
  run: IngestRun,
  { ownerUrl, applicationUrl }: Database,
  { db, tables }: Pick<ShapesDeps, 'db' | 'tables'>,
): Promise<Sides> {
  const load = run.worker(new URL('./loadGenerator.ts', import.meta.url))
  const productServer = run.serverWorker(new URL('./gatewayServer.ts', import.meta.url))
  const ceilingServer = run.worker(new URL('./ceilingServer.ts', import.meta.url))
  const { port } = await productServer.ask<{ port: number }>({ start: { ownerUrl, applicationUrl } })
  const bare = await ceilingServer.ask<{ port: number }>({ start: ownerUrl, tables })
  const [like, own] = [tables.map(({ like: name }) => name), tables.map(({ table }) => table)]
  const [reports, ofCeiling] = tables === AGENT_CEILING ? [AGENT_REPORTS, CEILING_REPORTS] : [like, own]
  return {
    productServer,
    product: new Target({ db, load, name: 'product', ports: [port], tables: like, reports, servers: [productServer] }),
    ceiling: new Target({
      ...{ db, load, name: 'ceiling', ports: [bare.port] },
      ...{ tables: own, reports: ofCeiling, servers: [ceilingServer] },
    }),
  }
}

async function printBatches(productServer: Worker) {
  const counters = await productServer.ask<{ batchesStored: number; reportsStored: number }>({ tell: 'counters' })
  console.log(`\nreports/batch: ${(counters.reportsStored / counters.batchesStored).toFixed(1)}`)
}
