import { join } from 'node:path'
import { Client } from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embeddedPostgres.ts'
import { migrate } from '#server/db/migrate.ts'
import type { DatabaseRequest, MadeDatabase } from './databaseDoor.ts'

/** Few days make few partitions, and a fresh database is a copy of all of them. */
const RETENTION_DAYS = 40
const TEMPLATE = 'wayside_template'

type Running = Readonly<{ postgres: EmbeddedPostgres; admin: Client }>

/** The databases of one test run: one PostgreSQL, one migrated template, a copy for whoever asks. */
export class TestDatabases {
  readonly #folder: string
  #running: Promise<Running> | undefined
  #template: Promise<void> | undefined
  #count = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  async answer(request: DatabaseRequest): Promise<MadeDatabase | undefined> {
    this.#running ??= this.#start()
    const { postgres, admin } = await this.#running
    if ('drop' in request) {
      await admin.query(`drop database if exists ${request.drop} with (force)`)
      return undefined
    }
    this.#count += 1
    const name = `test_${this.#count}`
    if (request.empty) {
      await admin.query(`create database ${name}`)
    } else {
      this.#template ??= makeTemplate(postgres, admin)
      await this.#template
      await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`)
    }
    return {
      name,
      ownerUrl: withDatabase(postgres.ownerUrl, name),
      applicationUrl: withDatabase(postgres.applicationUrl, name),
    }
  }

  async stop(): Promise<void> {
    if (this.#running === undefined) return
    const { postgres, admin } = await this.#running
    await admin.end()
    await postgres.stop()
  }

  async #start(): Promise<Running> {
    const postgres = await startEmbeddedPostgres({
      dataFolder: join(this.#folder, 'data'),
      systemFolder: join(this.#folder, 'system'),
      // No test survives a power cut, so none needs the disk; kills of processes lose nothing either way.
      settings: { fsync: 'off', full_page_writes: 'off', shared_buffers: '128MB', max_connections: '200' },
    })
    const admin = new Client({ connectionString: postgres.ownerUrl })
    await admin.connect()
    return { postgres, admin }
  }
}

async function makeTemplate(postgres: EmbeddedPostgres, admin: Client): Promise<void> {
  await admin.query(`create database ${TEMPLATE}`)
  await migrate(withDatabase(postgres.ownerUrl, TEMPLATE), { retentionDays: RETENTION_DAYS })
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
