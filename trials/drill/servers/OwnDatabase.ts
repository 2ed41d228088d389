import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { openPool } from '#server/db/connect/pool.ts'
import { openServersDatabase } from '#server/programs/openDatabase.ts'
import { readConfig } from '#server/settings/config.ts'

/** Opens the database that a server runs as its own, to read it and to disturb its processes. Linux only. */
export class OwnDatabase {
  readonly owner: pg.Pool
  readonly ownerUrl: string
  readonly applicationUrl: string
  /** PostgreSQL keeps everything in it. */
  readonly folder: string
  readonly #close: () => Promise<void>

  /** @param dataFolder of a running server */
  static async open(dataFolder: string): Promise<OwnDatabase> {
    const { url: applicationUrl, ownerUrl, close } = await openServersDatabase(readConfig({ WAYSIDE_DATA: dataFolder }))
    const owner = openPool(ownerUrl, { maximumConnections: 3, name: 'trial owner' })
    owner.on('error', () => undefined)
    const { rows } = await owner.query<{ data_directory: string }>('show data_directory')
    return new OwnDatabase({ owner, ownerUrl, applicationUrl, folder: rows[0]?.data_directory ?? '', close })
  }

  private constructor(
    opened: Pick<OwnDatabase, 'owner' | 'ownerUrl' | 'applicationUrl' | 'folder'> & {
      readonly close: () => Promise<void>
    },
  ) {
    this.owner = opened.owner
    this.ownerUrl = opened.ownerUrl
    this.applicationUrl = opened.applicationUrl
    this.folder = opened.folder
    this.#close = opened.close
  }

  /** Returns the process that starts all others; a kill leads to another one. */
  get postmaster(): number {
    return Number(readFileSync(join(this.folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  /** Each serves one connection, or works for all. */
  get children(): readonly number[] {
    const { postmaster } = this
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
      .map(Number)
  }

  /** Sends the signal to all of its processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of [this.postmaster, ...this.children]) process.kill(pid, signal)
  }

  async close(): Promise<void> {
    await this.owner.end()
    await this.#close()
  }
}

function parentOf(pid: string): number | undefined {
  try {
    // The field follows the name in brackets, which may hold anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return undefined
  }
}
