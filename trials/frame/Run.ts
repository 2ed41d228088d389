import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { chance } from '#device/hardware/pretend/noise.ts'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '#tools/serverProcess.mjs'
import { NO_LIMIT } from './options.ts'
import type { Database, Premises } from './premises.ts'
import { Worker } from './Worker.ts'

const SHOWN_EVERY_MS = 10_000

interface ProductOptions {
  /** The folder of the built console; without it there is none. */
  readonly consoleFolder?: string
  readonly areDevicesUnlimited?: true
}

/** Decides whether a measurement is enough. */
export type Judge = Pick<Run<Readonly<Record<string, never>>>, 'verdict'>

/** One running trial: its options, what it may use, and what it has found wrong. */
export class Run<Values extends Readonly<Record<string, number | string>>> {
  readonly options: Values
  /** The folder belongs to the trial, and goes with it. */
  readonly folder: string
  readonly #premises: Premises
  readonly #workers: Worker[] = []
  readonly #wrong: string[] = []
  #rolls = 0
  #rounds = 0

  constructor(options: Values, premises: Premises) {
    this.options = options
    this.#premises = premises
    this.folder = mkdtempSync(join(premises.folder, 'run-'))
  }

  /** Returns a migrated database without data: the configured one, if any. */
  database(): Promise<Database> {
    return this.#premises.database()
  }

  /** Makes a migrated database that has tables of so many past days. */
  newDatabase(days: { readonly retentionDays: number }): Promise<Database> {
    return this.#premises.newDatabase(days)
  }

  /** Makes a database for programs that migrate it themselves. */
  emptyDatabase(): Promise<Database> {
    return this.#premises.emptyDatabase()
  }

  /** The process ends with the trial, however that ends. */
  hold(child: ChildProcess): void {
    this.#premises.hold(child)
  }

  /** Starts a process that answers messages, and that ends with the trial. */
  worker(file: URL): Worker {
    return this.#hold(new Worker(file))
  }

  /** Starts one that runs the server or a part of it, as outside of trials; it can report its memory. */
  serverWorker(file: URL): Worker {
    return this.#hold(new Worker(file, SERVER_FLAGS, { ...SERVER_ENVIRONMENT, ...process.env }))
  }

  #hold(worker: Worker): Worker {
    this.#premises.hold(worker.child)
    this.#workers.push(worker)
    return worker
  }

  /** Starts the whole product in a process of its own. */
  async product(database: Database, more: ProductOptions = {}) {
    const { ownerUrl, applicationUrl } = database
    const worker = this.serverWorker(new URL('./productServer.ts', import.meta.url))
    const question = { start: { ownerUrl, applicationUrl }, ...more }
    return { worker, ...(await worker.ask<{ httpUrl: string; mqttUrl: string }>(question)) }
  }

  /** Returns from 0 up to below 1, by the seed: the same for the same words, or the next one without words. */
  chance(word = 'next', index = this.#rolls++): number {
    return chance(Number(this.options.seed), word, index)
  }

  /** Yields numbers of rounds until there were enough or time is over, and prints the progress now and then. */
  *rounds(): Generator<number, void> {
    const { rounds = 1, seconds = NO_LIMIT } = this.options
    const beganAt = performance.now()
    let shownAt = beganAt
    while (this.#rounds < Number(rounds)) {
      const nowMs = performance.now()
      if (seconds !== NO_LIMIT && nowMs - beganAt > Number(seconds) * 1000) return
      if (nowMs - shownAt > SHOWN_EVERY_MS) {
        console.log(`${this.#rounds} of ${rounds}, ${this.#wrong.length} wrong`)
        shownAt = nowMs
      }
      yield this.#rounds++
    }
  }

  /** Returns words for a table about a measurement; a missed "must" makes the trial fail, and it goes on. */
  verdict(what: string, isMust: boolean, isAim?: boolean): string {
    if (!isMust) this.#wrong.push(`${what} was missed`)
    if (isAim === undefined) return isMust ? 'reached' : 'MISSED'
    return isAim ? 'aim reached' : isMust ? 'must reached' : 'MISSED'
  }

  /** Records a broken promise: the trial has failed, and goes on. */
  wrong(sentence: string): void {
    this.#wrong.push(sentence)
    console.log(`WRONG: ${sentence}`)
  }

  /** Two parts of a trial that must not disturb each other need it in between. */
  async endWorkers(): Promise<void> {
    await Promise.allSettled(this.#workers.splice(0).map((worker) => worker.end()))
  }

  /** @returns what was found wrong */
  async end(): Promise<readonly string[]> {
    await this.endWorkers()
    return this.#wrong
  }
}
