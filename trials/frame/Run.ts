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
  /** Of the built console; without it there is none. */
  readonly consoleFolder?: string
  readonly areDevicesUnlimited?: true
}

/** Who decides whether what was measured is enough. */
export type Judge = Pick<Run<Readonly<Record<string, never>>>, 'verdict'>

/** One trial while it runs: what it was asked for, what it may use, and what it has found wrong. */
export class Run<Values extends Readonly<Record<string, number | string>>> {
  readonly options: Values
  /** Of its own, and gone when the trial ends. */
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

  /** Migrated, and with nothing in it. */
  database(): Promise<Database> {
    return this.#premises.database()
  }

  /** For programs that migrate it themselves. */
  emptyDatabase(): Promise<Database> {
    return this.#premises.emptyDatabase()
  }

  /** The process ends with the trial, however that ends. */
  hold(child: ChildProcess): void {
    this.#premises.hold(child)
  }

  /** A process that answers messages; ended with the trial. */
  worker(file: URL): Worker {
    return this.#hold(new Worker(file))
  }

  /** One that runs the server or a part of it, as it is run outside of trials; it can tell its memory. */
  serverWorker(file: URL): Worker {
    return this.#hold(new Worker(file, SERVER_FLAGS, { ...SERVER_ENVIRONMENT, ...process.env }))
  }

  #hold(worker: Worker): Worker {
    this.#premises.hold(worker.child)
    this.#workers.push(worker)
    return worker
  }

  /** The whole product in a process of its own. */
  async product(database: Database, more: ProductOptions = {}) {
    const { ownerUrl, applicationUrl } = database
    const worker = this.serverWorker(new URL('./productServer.ts', import.meta.url))
    const question = { start: { ownerUrl, applicationUrl }, ...more }
    return { worker, ...(await worker.ask<{ httpUrl: string; mqttUrl: string }>(question)) }
  }

  /** From 0 up to below 1, by the seed: the same for the same words, or the next one without words. */
  chance(word = 'next', index = this.#rolls++): number {
    return chance(Number(this.options.seed), word, index)
  }

  /** Numbers of rounds, until there were as many as asked for or time is over; says now and then how far it is. */
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

  /** Words for a table about what was measured; the trial fails by what it must reach, and goes on. */
  verdict(what: string, isMust: boolean, isAim?: boolean): string {
    if (!isMust) this.#wrong.push(`${what} was missed`)
    if (isAim === undefined) return isMust ? 'reached' : 'MISSED'
    return isAim ? 'aim reached' : isMust ? 'must reached' : 'MISSED'
  }

  /** A promise that was not kept: the trial has failed, and goes on. */
  wrong(sentence: string): void {
    this.#wrong.push(sentence)
    console.log(`WRONG: ${sentence}`)
  }

  /** Between two parts of a trial that must not disturb each other. */
  async endWorkers(): Promise<void> {
    await Promise.allSettled(this.#workers.splice(0).map((worker) => worker.end()))
  }

  /** @returns what was found wrong */
  async end(): Promise<readonly string[]> {
    await this.endWorkers()
    return this.#wrong
  }
}
