import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#testing/freePort.ts'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '#tools/serverProcess.mjs'

const READY_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 100
const ROOT = join(import.meta.dirname, '../../..')

export interface ServerProgramDeps {
  /** Absent for its own database in its data folder. */
  readonly database?: { readonly ownerUrl: string; readonly applicationUrl: string }
  /** All processes share it, and their logs lie there. */
  readonly folder: string
  readonly name: string
  /** Settings beside database, ports and data folder. */
  readonly settings?: Readonly<Record<string, string>>
  /** Ends the process with the trial, however that ends. */
  readonly hold: (child: ChildProcess) => void
  /** Flags of Node.js beside those of the product. */
  readonly flags?: readonly string[]
  /** A program that runs Node.js, as `strace` with its arguments. */
  readonly under?: readonly string[]
  readonly httpPort?: number
  readonly mqttPort?: number
}

/** Runs one `npm run serve` as installations do: killed, ended, and started again on the same ports. */
export class ServerProgram {
  readonly #deps: ServerProgramDeps
  readonly httpPort: number
  readonly mqttPort: number
  #child: ChildProcess | undefined
  isReady = false

  static async prepare(deps: ServerProgramDeps): Promise<ServerProgram> {
    const { httpPort = await freePort(), mqttPort = await freePort() } = deps
    return new ServerProgram(deps, httpPort, mqttPort)
  }

  private constructor(deps: ServerProgramDeps, httpPort: number, mqttPort: number) {
    this.#deps = deps
    this.httpPort = httpPort
    this.mqttPort = mqttPort
  }

  get name(): string {
    return this.#deps.name
  }

  get httpUrl(): string {
    return `http://127.0.0.1:${this.httpPort}`
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * @param root of the program; by default this one
   * @param database replaces the one that it had before
   */
  async start(root = ROOT, database = this.#deps.database): Promise<void> {
    const { folder, settings, flags = [], under = [], hold } = this.#deps
    const log = openSync(join(folder, `${this.name}.log`), 'a')
    const [command = process.execPath, ...before] = [...under, process.execPath]
    const child = spawn(command, [...before, ...SERVER_FLAGS, ...flags, join(root, 'server/programs/start.ts')], {
      cwd: root,
      stdio: ['ignore', log, log],
      env: {
        ...inherited(),
        ...SERVER_ENVIRONMENT,
        ...(database && { DATABASE_URL: database.applicationUrl, DATABASE_OWNER_URL: database.ownerUrl }),
        WAYSIDE_DATA: join(folder, 'data'),
        WAYSIDE_HTTP_PORT: String(this.httpPort),
        WAYSIDE_MQTT_PORT: String(this.mqttPort),
        ...settings,
      },
    })
    this.#child = child
    hold(child)
    child.once('exit', () => {
      if (this.#child === child) this.isReady = false
    })
    await this.#untilReady(child)
    this.isReady = true
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    this.isReady = false
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    const until = performance.now() + READY_WITHIN_MS
    while (performance.now() < until) {
      if (child.exitCode !== null) throw new Error(`${this.name} ended with ${child.exitCode}: see its log.`)
      // It was killed on purpose while it started.
      if (child.signalCode !== null) return
      if (await answers(`${this.httpUrl}/readyz`)) return
      await sleep(LOOK_EVERY_MS)
    }
    throw new Error(`${this.name} was not ready within ${READY_WITHIN_MS / 1000} s.`)
  }
}

const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Settings of whoever runs the trial must not reach it. */
const inherited = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('WAYSIDE_') && !name.startsWith('DATABASE_')),
  )
