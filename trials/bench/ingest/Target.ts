import type pg from 'pg'
import type { Worker } from '../../frame/Worker.ts'
import type { BenchDevice } from './benchDevices.ts'
import type { LoadAnswer, LoadQuestion } from './loadGenerator.ts'
import { processorTimeOf } from './processorTime.ts'

export interface Measured extends LoadAnswer {
  readonly walBytesPerValue: number
  readonly bytesPerValue: number
  /** Microseconds of processor a report: of the server that stores it, of the database, and of the load. */
  readonly serverMicros: number
  readonly databaseMicros: number
  readonly loadMicros: number
}

interface TargetDeps {
  readonly db: pg.Client
  readonly load: Worker
  readonly name: string
  readonly ports: readonly number[]
  readonly tables: readonly string[]
  /** SQL of the reports in them; each row is one if not said. */
  readonly reports?: readonly string[]
  /** Those whose time is counted. */
  readonly servers?: readonly Worker[]
}

interface OpenedBy {
  readonly devices: readonly BenchDevice[]
  readonly columns: readonly string[] | 'agent'
  readonly firstAtMs: number
  /** The time between two reports of a device; all times lie in the `spanMs` from the first on. */
  readonly stepMs?: number
  readonly spanMs?: number
}

/** One side of a comparison: where the load goes, and what is stored of it. */
export class Target {
  readonly #deps: TargetDeps

  constructor(deps: TargetDeps) {
    this.#deps = deps
  }

  async open(opened: OpenedBy): Promise<void> {
    const { load, name, ports } = this.#deps
    await load.ask({ open: name, ports, ...opened } satisfies LoadQuestion)
  }

  async close(): Promise<void> {
    await this.#deps.load.ask({ close: this.#deps.name } satisfies LoadQuestion)
  }

  /** @param reportsPerSecond 0: as fast as acknowledgements come */
  send(inFlight: number, seconds: number, reportsPerSecond = 0): Promise<LoadAnswer> {
    return this.#deps.load.ask({
      send: this.#deps.name,
      inFlight,
      seconds,
      reportsPerSecond,
    } satisfies LoadQuestion)
  }

  /** Measures also what it left in the database, where every acknowledged report must be. */
  async measure(inFlight: number, seconds: number, reportsPerSecond = 0): Promise<Measured> {
    const { db, servers = [] } = this.#deps
    const before = await this.#stored()
    const { answer, ...used } = await processorTimeOf(db, servers, () => this.send(inFlight, seconds, reportsPerSecond))
    const after = await this.#stored()
    const { acknowledged, values } = answer
    const microsOf = (ms: number) => (ms * 1000) / acknowledged
    if (after.rows - before.rows !== acknowledged) {
      const { name } = this.#deps
      throw new Error(`${name}: ${acknowledged} reports were acknowledged, ${after.rows - before.rows} are stored.`)
    }
    return {
      ...answer,
      walBytesPerValue: (after.wal - before.wal) / values,
      bytesPerValue: (after.bytes - before.bytes) / values,
      serverMicros: microsOf(used.serverMs),
      databaseMicros: microsOf(used.databaseMs),
      loadMicros: microsOf(answer.processorMs),
    }
  }

  async #stored(): Promise<{ rows: number; bytes: number; wal: number }> {
    const { db, tables, reports = tables } = this.#deps
    const rowsSql = reports.map((table) => `(select count(*) from ${table})`).join(' + ')
    const { rows } = await db.query<{ rows: string; bytes: string; wal: string }>(
      `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal, ${rowsSql} as rows,
         (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = any ($1::regclass[])) as bytes`,
      [tables],
    )
    return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes), wal: Number(rows[0]?.wal) }
  }
}
