import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { DATABASE, POSTGRES_ENVIRONMENT } from '#server/db/embedded/cluster.ts'
import type { Account } from '#server/db/embedded/databaseAccount.ts'
import { freePort } from '#testing/freePort.ts'
import { passTime } from '#testing/passTime.ts'

export const SUPERUSER = 'postgres'
export const HOST = '127.0.0.1'

/** What the nodes of a cluster share. */
export interface Premises {
  /** The folder of the PostgreSQL that has Citus. */
  readonly postgres: string
  /** Data of nodes are kept below this folder. */
  readonly home: string
  readonly account: Account
  readonly logins: NodeLogins
}

/** The passwords of all roles, in the file by which nodes sign in to each other as the role of each session. */
export class NodeLogins {
  readonly file: string
  readonly #account: Account
  readonly #passwords = new Map<string, string>()

  constructor(file: string, account: Account) {
    this.file = file
    this.#account = account
  }

  passwordOf(role: string): string {
    const kept = this.#passwords.get(role)
    if (kept !== undefined) return kept
    const made = randomBytes(16).toString('hex')
    this.add(role, made)
    return made
  }

  /** Lets nodes sign in to each other as a role that was made elsewhere. */
  add(role: string, password: string): void {
    this.#passwords.set(role, password)
    appendFileSync(this.file, `*:*:*:${role}:${password}\n`, { mode: 0o600 })
    own(this.file, this.#account)
  }
}

/** One PostgreSQL of a cluster: a data folder, a port, and a process that can be stopped and started. */
export class CitusNode {
  readonly name: string
  readonly port: number
  readonly folder: string
  readonly #premises: Premises

  private constructor(premises: Premises, name: string, port: number) {
    this.#premises = premises
    this.name = name
    this.port = port
    this.folder = join(premises.home, name)
  }

  static async start(premises: Premises, name: string, settings: Readonly<Record<string, string>>): Promise<CitusNode> {
    const node = new CitusNode(premises, name, await freePort())
    node.#initialize({ ...settings, port: `${node.port}` })
    node.start()
    return node
  }

  /** Takes a copy of the node while it is used; its log since then is where `archive_command` has put it. */
  copy(): void {
    const { account } = this.#premises
    mkdirSync(this.#copyFolder, { mode: 0o700 })
    own(this.#copyFolder, account)
    this.#run('pg_basebackup', [
      '-D',
      this.#copyFolder,
      '-d',
      this.url(SUPERUSER),
      '-X',
      'none',
      '-c',
      'fast',
      '--no-sync',
    ])
  }

  /** Destroys the node, and starts one from its copy, on another port, as it was at the named moment. */
  async restored(point: string): Promise<CitusNode> {
    const node = new CitusNode(this.#premises, this.name, await freePort())
    this.stop('immediate')
    rmSync(this.folder, { recursive: true })
    renameSync(this.#copyFolder, this.folder)
    const signal = join(this.folder, 'recovery.signal')
    writeFileSync(signal, '')
    own(signal, this.#premises.account)
    node.#set({
      port: `${node.port}`,
      restore_command: `cp "${this.#logFolder}/%f" "%p"`,
      recovery_target_name: point,
      recovery_target_action: 'promote',
    })
    node.start()
    const isRestoring = async () =>
      (await node.ask<{ is: boolean }>('select pg_is_in_recovery() as is', 'postgres'))[0]?.is
    while (await isRestoring()) await passTime(100, 'before the node is asked again')
    return node
  }

  get #copyFolder(): string {
    return `${this.folder}.copy`
  }

  get #logFolder(): string {
    return `${this.folder}.wal`
  }

  get log(): string {
    return `${this.folder}.log`
  }

  url(role: string, database = DATABASE): string {
    return `postgresql://${role}:${this.#premises.logins.passwordOf(role)}@${HOST}:${this.port}/${database}`
  }

  /** Runs one statement as the superuser. */
  async ask<Row extends pg.QueryResultRow>(sql: string, database = DATABASE): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(SUPERUSER, database), application_name: 'wayside test' })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  start(): void {
    this.#run('pg_ctl', ['start', '--wait', '--silent', '-D', this.folder, '-l', this.log])
  }

  /** `immediate` is a kill: nothing is written any more, and the next start recovers. */
  stop(how: 'fast' | 'immediate' = 'fast'): void {
    if (!existsSync(join(this.folder, 'postmaster.pid'))) return
    this.#run('pg_ctl', ['stop', '--wait', '--silent', '-m', how, '-D', this.folder])
  }

  #initialize(settings: Readonly<Record<string, string>>): void {
    const { account, logins } = this.#premises
    const passwordFile = `${this.folder}.password`
    mkdirSync(this.folder, { mode: 0o700 })
    writeFileSync(passwordFile, logins.passwordOf(SUPERUSER), { mode: 0o600 })
    for (const path of [this.folder, passwordFile]) own(path, account)
    const words = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
    this.#run('initdb', ['-D', this.folder, '-U', SUPERUSER, `--pwfile=${passwordFile}`, ...words])
    rmSync(passwordFile)
    this.#set(settings)
  }

  #set(settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value}'\n`)
    appendFileSync(join(this.folder, 'postgresql.conf'), `\n${lines.join('')}`)
  }

  #run(program: string, given: readonly string[]): void {
    const { postgres, account, logins } = this.#premises
    const { status, stderr } = spawnSync(join(postgres, 'bin', program), given, {
      cwd: '/',
      env: { ...POSTGRES_ENVIRONMENT, PGPASSFILE: logins.file },
      // A server that kept the pipe of its starter would keep the starter waiting for its end.
      stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
      encoding: 'utf8',
      ...account.ids,
    })
    if (status === 0) return
    const words = existsSync(this.log) ? readFileSync(this.log, 'utf8').slice(-1000) : stderr
    throw new Error(`${program} of ${this.name} ended with ${status}: ${words}`)
  }
}

export function own(path: string, { ids }: Account): void {
  if (ids !== undefined) chownSync(path, ids.uid, ids.gid)
}
