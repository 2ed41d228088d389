import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '#tools/serverProcess.mjs'
import type { Settings } from './changes.ts'

const ENDS_OR_SERVES_WITHIN_MS = 180_000
const ASKED_WITHIN_MS = 5_000
const START = join(import.meta.dirname, '../../../server/programs/start.ts')

/** One start of the server, and everything that it says. */
export class StartedServer {
  readonly said: string[] = []
  readonly errors: string[] = []
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>

  /** @param folder in which it is started, for what a setting that is missing names below it */
  constructor(settings: Settings, folder: string, hold: (child: ChildProcess) => void) {
    const given = Object.entries(settings).filter(([, value]) => value !== undefined)
    const child = spawn(process.execPath, [...SERVER_FLAGS, START], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...SERVER_ENVIRONMENT,
        PATH: process.env['PATH'],
        TMPDIR: process.env['TMPDIR'],
        ...Object.fromEntries(given),
      },
    })
    hold(child)
    this.#child = child
    this.#closed = once(child, 'close')
    createInterface({ input: child.stdout }).on('line', (line) => this.said.push(line))
    createInterface({ input: child.stderr }).on('line', (line) => this.errors.push(line))
  }

  /** @returns whether it serves; else it has ended, and all that it said has come */
  async serves(): Promise<boolean> {
    const giveUp = setTimeout(() => this.#child.kill('SIGKILL'), ENDS_OR_SERVES_WITHIN_MS)
    const ready = async () => {
      while (!this.said.includes('Wayside is ready.')) await new Promise((resolve) => setTimeout(resolve, 50))
      return true
    }
    const isServing = await Promise.race([ready(), this.#closed.then(() => false)])
    clearTimeout(giveUp)
    return isServing
  }

  /** Every trouble that health tells. */
  async troubles(): Promise<readonly string[]> {
    const url = this.said.map((line) => /Console\s+(\S+)/.exec(line)?.[1]).find(Boolean)
    if (url === undefined) return []
    const port = new URL(url).port
    const answer = await fetch(`http://127.0.0.1:${port || 80}/healthz`, {
      signal: AbortSignal.timeout(ASKED_WITHIN_MS),
    })
    return ((await answer.json()) as { readonly troubles: readonly string[] }).troubles
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#closed
  }
}
