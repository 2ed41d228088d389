import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '#tools/serverProcess.mjs'
import type { Settings } from './changes.ts'

const ENDS_OR_SERVES_WITHIN_MS = 180_000
const ASKED_WITHIN_MS = 5_000
const START = join(import.meta.dirname, '../../../server/programs/start.ts')

/** One start of the server, with all of its output. */
export class StartedServer {
  readonly said: string[] = []
  readonly errors: string[] = []
  readonly #child: ChildProcess
  readonly #closed: Promise<unknown>

  /** @param folder the working folder, for what a missing setting names below it */
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

  /** @returns true when it serves; otherwise it has ended, and all of its output has arrived */
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

  /** Returns every trouble that health reports. */
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
