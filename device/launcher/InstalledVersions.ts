import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDamage } from '#domain/releases/verifyRelease.ts'
import { type ClientFolder, isUntried, programFile, type State, versionOfProgram } from './clientFolder.ts'
import { removeDurably, renameDurably, writeDurably } from './durable.ts'

export interface Program {
  readonly path: string
  readonly version: string
}

/** A power cut in the middle of a trial costs one of them. */
const MOST_ATTEMPTS = 3
/** A version that has ended this often before it was proven is replaced by the one before. */
const MOST_EARLY_ENDS = 3

/** Decides which program is started, tried, kept and deleted. The agent checks signatures before a file comes here. */
export class InstalledVersions {
  readonly #folder: ClientFolder
  readonly #first: string | undefined
  readonly #log: (line: string) => void

  constructor(folder: ClientFolder, first: string | undefined, log: (line: string) => void) {
    this.#folder = folder
    this.#first = first
    this.#log = log
  }

  /** Returns the current program, else the newest complete one that has passed, else the first, if any. */
  async current(): Promise<Program | undefined> {
    const current = this.#settledCurrent()
    if (current && (await isWhole(this.#pathOf(current.file)))) {
      return { path: this.#pathOf(current.file), version: current.version }
    }
    const others = [current?.previous, ...this.#folder.programs()].filter((file) => file !== current?.file)
    for (const file of others) {
      if (file == null || !(await isWhole(this.#pathOf(file)))) continue
      const version = versionOfProgram(file)
      this.#log(`The current client is damaged or unknown; version ${version} is started.`)
      this.#attempt(() => this.#folder.write('current', { version, file, previous: null, updateId: null }))
      return { path: this.#pathOf(file), version }
    }
    return this.#install()
  }

  /** Returns the next trial, with its attempt already counted on disk; undefined if there is none, or it has failed. */
  async nextTrial(): Promise<(Program & { readonly updateId: string }) | undefined> {
    const trial = this.#settledTrial()
    if (!trial) return undefined
    const { version, file, updateId, attempts } = trial
    if (attempts >= MOST_ATTEMPTS) {
      const reason = `Version ${version} was started ${attempts} times, and each time the device stopped before it was connected.`
      this.#giveUp(trial, reason)
      return undefined
    }
    if (!(await isWhole(this.#pathOf(file)))) {
      this.#giveUp(trial, `The file of version ${version} is missing or damaged on the disk of the device.`)
      return undefined
    }
    this.#folder.write('trial', { ...trial, attempts: attempts + 1 })
    return { path: this.#pathOf(file), version, updateId }
  }

  isConfirmed(updateId: string): boolean {
    return this.#folder.read('confirmed')?.updateId === updateId
  }

  /** Makes a confirmed trial the current program. */
  promote(updateId: string): void {
    const trial = this.#folder.read('trial')
    if (trial?.updateId === updateId) this.#attempt(() => this.#promote(trial))
  }

  /** Ends the trial; the reason is for operators. */
  fail(reason: string): void {
    const trial = this.#folder.read('trial')
    if (trial) this.#attempt(() => this.#giveUp(trial, reason))
  }

  hasTrial(): boolean {
    return this.#folder.read('trial') !== undefined
  }

  /** False while the current program came with an update and has not run for long enough yet. */
  isProven(): boolean {
    return this.#folder.read('current')?.earlyEnds === undefined
  }

  /** The current program has run for long enough, so its later ends are no reason to go back. */
  prove(): void {
    const current = this.#folder.read('current')
    if (current?.earlyEnds === undefined) return
    const { earlyEnds: _, ...proven } = current
    const isKept = this.#attempt(() => this.#folder.write('current', proven))
    if (isKept) this.#log(`Version ${proven.version} has proven itself.`)
  }

  /**
   * Counts an end of the current program before it was proven. The last permitted one restores the version before; the
   * reason is for operators.
   *
   * @returns whether another program is the current one now
   */
  async noteEarlyEnd(reasonAfter: (ends: number) => string): Promise<boolean> {
    const current = this.#folder.read('current')
    if (current?.updateId == null || current.earlyEnds === undefined) return false
    const { version, updateId, previous } = current
    const earlyEnds = current.earlyEnds + 1
    this.#attempt(() => this.#folder.write('current', { ...current, earlyEnds }))
    if (earlyEnds < MOST_EARLY_ENDS) return false
    if (previous === null || !(await isWhole(this.#pathOf(previous)))) {
      this.#log(`Version ${version} keeps ending, but there is no whole version to go back to.`)
      return false
    }
    const reason = reasonAfter(earlyEnds)
    this.#log(`Version ${version} is given up: ${reason}`)
    return this.#attempt(() => {
      this.#folder.write('failed', { version, updateId, reason })
      this.#goBack(current)
    })
  }

  #pathOf(file: string): string {
    return join(this.#folder.files, file)
  }

  /** A disk that refuses writes must not keep a client from running; the next start tries again. */
  #attempt(change: () => void): boolean {
    try {
      change()
      return true
    } catch (error) {
      this.#log(`The disk does not take it: ${(error as Error).message}.`)
      return false
    }
  }

  #giveUp(trial: State<'trial'>, reason: string): void {
    this.#log(`Version ${trial.version} is given up: ${reason}`)
    this.#folder.write('failed', { version: trial.version, updateId: trial.updateId, reason })
    this.#clear(trial)
  }

  #clear({ file }: State<'trial'>): void {
    if (isUntried(file)) removeDurably(this.#pathOf(file))
    // This comes last: as long as the file exists, the next start repeats the clean-up.
    this.#folder.remove('trial')
  }

  #promote({ version, file: tried, updateId }: State<'trial'>): void {
    const before = this.#folder.read('current')
    // Part of this is done already after a power cut in the middle of this function.
    if (isUntried(tried) && existsSync(this.#pathOf(tried))) {
      renameDurably(this.#pathOf(tried), this.#pathOf(programFile(version)))
    }
    if (before?.updateId !== updateId) {
      // A version that is not proven is nothing to go back to.
      const previous = (before?.earlyEnds === undefined ? before?.file : before.previous) ?? null
      this.#folder.write('current', { version, file: programFile(version), updateId, previous, earlyEnds: 0 })
      this.#log(`Version ${version} is healthy and stays.`)
    }
    this.#folder.remove('trial')
    this.#folder.remove('confirmed')
    const kept = this.#folder.read('current')
    for (const file of this.#folder.programs()) {
      if (file !== kept?.file && file !== kept?.previous) removeDurably(this.#pathOf(file))
    }
  }

  /** Restores the version before one that has been given up. */
  #goBack({ file, previous }: State<'current'>): boolean {
    if (previous === null) return false
    const version = versionOfProgram(previous)
    this.#folder.write('current', { version, file: previous, previous: null, updateId: null })
    removeDurably(this.#pathOf(file))
    return true
  }

  /** Returns the current program or, if the power went while it was being given up, the one before. */
  #settledCurrent(): State<'current'> | undefined {
    const current = this.#folder.read('current')
    const isGivenUp = current?.updateId != null && this.#folder.read('failed')?.updateId === current.updateId
    if (current && isGivenUp) this.#attempt(() => this.#goBack(current))
    return this.#folder.read('current')
  }

  /** Completes what a power cut has interrupted between two steps. */
  #settledTrial(): State<'trial'> | undefined {
    const trial = this.#folder.read('trial')
    const confirmed = this.#folder.read('confirmed')
    if (trial && confirmed?.updateId === trial.updateId) this.#promote(trial)
    else if (confirmed) this.#folder.remove('confirmed')
    if (trial && this.#folder.read('failed')?.updateId === trial.updateId) this.#clear(trial)
    return this.#folder.read('trial')
  }

  /** Copies the first program in; if the disk refuses the copy, it runs from its original place. */
  async #install(): Promise<Program | undefined> {
    if (this.#first === undefined) return undefined
    const content = readFileSync(this.#first)
    const verdict = await findDamage(content)
    if ('refusal' in verdict) throw new Error(`${this.#first} cannot be used: ${verdict.refusal.sentence}`)
    const { version } = verdict.release
    const file = programFile(version)
    const isCopied = this.#attempt(() => {
      writeDurably(this.#pathOf(file), content)
      this.#folder.write('current', { version, file, previous: null, updateId: null })
    })
    return { path: isCopied ? this.#pathOf(file) : this.#first, version }
  }
}

async function isWhole(path: string): Promise<boolean> {
  try {
    return 'release' in (await findDamage(readFileSync(path)))
  } catch {
    return false
  }
}
