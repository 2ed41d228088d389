import { join } from 'node:path'
import { Client } from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embeddedPostgres.ts'
import { migrate } from '#server/db/upgrade/migrate.ts'
import type { DatabaseRequest, MadeDatabase } from './databaseRequests.ts'

type Running = Readonly<{ postgres: EmbeddedPostgres; admin: Client }>

/** The databases of one test run: one PostgreSQL, a migrated template for each span of days, and copies. */
export class TestDatabases {
  readonly #folder: string
  #running: Promise<Running> | undefined
  readonly #templates = new Map<number, Promise<string>>()
  #count = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  async answer(request: DatabaseRequest): Promise<MadeDatabase | undefined> {
    const { postgres, admin } = await this.#started()
    if ('drop' in request) {
      await admin.query(`drop database if exists ${request.drop} with (force)`)
      return undefined
    }
    this.#count += 1
    const name = `test_${this.#count}`
    if (request.make === 'empty') await admin.query(`create database ${name}`)
    else await this.#copy(name, request.keptDays)
    return {
      name,
      ownerUrl: withDatabase(postgres.ownerUrl, name),
      applicationUrl: withDatabase(postgres.applicationUrl, name),
    }
  }

  async #copy(name: string, keptDays: number): Promise<void> {
    const { postgres, admin } = await this.#started()
    const made = this.#templates.get(keptDays) ?? makeTemplate(postgres, admin, keptDays)
    this.#templates.set(keptDays, made)
    await admin.query(`create database ${name} template ${await made} strategy file_copy`)
  }

  async stop(): Promise<void> {
    if (this.#running === undefined) return
    const { postgres, admin } = await this.#running
    await admin.end()
    await postgres.stop()
  }

  #started(): Promise<Running> {
    this.#running ??= this.#start()
    return this.#running
  }

  async #start(): Promise<Running> {
    const postgres = await startEmbeddedPostgres({
      ownerIsSuperuser: true,
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

/** @returns its name */
async function makeTemplate(postgres: EmbeddedPostgres, admin: Client, keptDays: number): Promise<string> {
  const name = `wayside_template_${keptDays}`
  await admin.query(`create database ${name}`)
  await migrate(withDatabase(postgres.ownerUrl, name), { retentionDays: keptDays })
  return name
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
