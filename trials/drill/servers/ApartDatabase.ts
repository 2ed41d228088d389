import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openPool } from '#server/db/connect/pool.ts'
import { SwallowingProxy } from '#server/testing/database/SwallowingProxy.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { OwnDatabase } from './OwnDatabase.ts'
import type { ServerProgram } from './ServerProgram.ts'

const STARTS_WITHIN_MS = 30_000

export interface ApartDeps {
  /** The data of a server with a database of its own. */
  readonly dataFolder: string
  readonly server: ServerProgram
  /** Settings of its process, as for a clock that can be set. */
  readonly settings?: Readonly<Record<string, string>>
  readonly hold: (child: ChildProcess) => void
}

/** Runs a server's database in another process; the server then uses it through a proxy. */
export class ApartDatabase {
  readonly #child: ChildProcess
  readonly proxy: SwallowingProxy

  static async replace({ dataFolder, server, settings, hold }: ApartDeps): Promise<ApartDatabase> {
    const database = await OwnDatabase.open(dataFolder)
    const { folder, ownerUrl, applicationUrl, postmaster } = database
    const program = readlinkSync(`/proc/${postmaster}/exe`)
    await database.close()
    await server.stop()
    const { uid, gid } = statSync(folder)
    const log = openSync(join(folder, 'start.log'), 'a')
    const child = spawn(program, ['-D', folder], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...settings },
      stdio: ['ignore', log, log],
      uid,
      gid,
    })
    closeSync(log)
    hold(child)
    const pool = openPool(ownerUrl, { maximumConnections: 1, name: 'trial start' })
    const answers = () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      )
    const isThere = await eventually(answers, Boolean, STARTS_WITHIN_MS)
    await pool.end()
    if (!isThere) throw new Error('The database did not start.')
    const proxy = await SwallowingProxy.start(ownerUrl)
    await server.start(undefined, { ownerUrl: proxy.through(ownerUrl), applicationUrl: proxy.through(applicationUrl) })
    return new ApartDatabase(child, proxy)
  }

  private constructor(child: ChildProcess, proxy: SwallowingProxy) {
    this.#child = child
    this.proxy = proxy
  }

  async stop(): Promise<void> {
    await this.proxy.stop()
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGINT')
    await ended
  }
}
