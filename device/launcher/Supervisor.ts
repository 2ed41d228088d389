import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ALIVE, NEXT_VERSION_EXIT_CODE } from './clientFolder.ts'
import type { InstalledVersions, Program } from './InstalledVersions.ts'
import { createLastOutput } from './lastOutput.ts'

const LOOK_FOR_CONFIRMATION_MS = 200
const LONGEST_STOP_MS = 5000
const FIRST_RESTART_MS = 1000
const LONGEST_RESTART_MS = 60_000
/** The next end of a client that has lived this long counts as the first. */
const GOOD_AFTER_MS = 60_000
/** Three ends within this time are noticed even if each takes ten minutes to come. */
const PROVEN_AFTER_MS = 30 * 60_000
/** A sample takes less than this even if no hardware answers. */
const SILENT_AFTER_MS = 180_000

export interface SupervisorOptions {
  readonly versions: Pick<InstalledVersions, keyof InstalledVersions>
  /** Every version is started with these. */
  readonly agentArguments: readonly string[]
  /** A new version must be connected and healthy within this time. */
  readonly trialMs: number
  readonly log: (line: string) => void
  /** A client that has reported to be alive counts as hung after this long silence; only tests change it. */
  readonly silentAfterMs?: number
  /** A new version must run this long without a restart to count as proven; only tests change it. */
  readonly provenAfterMs?: number
}

interface Started {
  readonly child: ChildProcess
  readonly atMs: number
  readonly gone: Promise<End>
  /** Empty for a proven version, because nobody needs its last output. */
  readonly lastOutput: () => string
}

/** Keeps one client running, and tries a new one when there is one. */
export class Supervisor {
  /** Resolves after `stop`. */
  readonly ended: Promise<void>
  readonly #options: SupervisorOptions
  readonly #provenAfterMs: number
  readonly #ending = new AbortController()
  #child: ChildProcess | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#provenAfterMs = options.provenAfterMs ?? PROVEN_AFTER_MS
    this.ended = this.#run()
  }

  stop(): void {
    this.#ending.abort()
    if (this.#child) void stopChild(this.#child, endOf(this.#child))
  }

  async #run(): Promise<void> {
    const { versions, log } = this.#options
    let failures = 0
    while (!this.#ending.signal.aborted) {
      const trial = await versions.nextTrial().catch((error: Error) => {
        log(`The new version cannot be tried: ${error.message}`)
        return undefined
      })
      failures = trial ? await this.#runTrial(trial) : await this.#runCurrent(failures)
    }
  }

  async #runCurrent(failures: number): Promise<number> {
    const program = await this.#options.versions.current()
    if (!program) throw new Error('There is no client to start: --first names none.')
    return this.#watch(program, this.#start(program), failures)
  }

  /** Like `#watch` after a successful trial; otherwise the version before is started at once. */
  async #runTrial(trial: Program & { readonly updateId: string }): Promise<number> {
    const { versions, trialMs } = this.#options
    const started = this.#start(trial, '--trial', trial.updateId)
    let end: End | undefined
    void started.gone.then((known) => {
      end = known
    })
    const limit = performance.now() + trialMs
    while (!end && performance.now() < limit && !versions.isConfirmed(trial.updateId)) {
      await Promise.race([started.gone, pause(LOOK_FOR_CONFIRMATION_MS)])
    }
    const isLate = !end && !versions.isConfirmed(trial.updateId)
    if (isLate) await stopChild(started.child, started.gone)
    // This must come after the end: a dead program cannot confirm any more.
    if (versions.isConfirmed(trial.updateId)) {
      versions.promote(trial.updateId)
      return this.#watch(trial, started, 0)
    }
    if (this.#ending.signal.aborted) return 0
    const wrong =
      isLate || !end
        ? `was not connected and healthy within ${trialMs / 1000} seconds`
        : `${end.words} before it was connected`
    versions.fail(`Version ${trial.version} ${wrong}${said(started.lastOutput())}`)
    return 0
  }

  #start(program: Program, ...more: string[]): Started {
    const { versions, log, agentArguments } = this.#options
    const isTrial = more.length > 0
    log(`Starting version ${program.version}${isTrial ? ' for a trial' : ''}.`)
    const isHeard = isTrial || !versions.isProven()
    const output = isHeard ? 'pipe' : 'inherit'
    // Through the channel the client notices that the launcher is gone: two clients must never run at once.
    const child = spawn(process.execPath, ['--no-deprecation', program.path, ...agentArguments, ...more], {
      stdio: ['ignore', output, output, 'ipc'],
    })
    // `endOf` reports it; an error without a listener would end the launcher.
    child.on('error', () => undefined)
    this.#child = child
    if (this.#ending.signal.aborted) child.kill()
    const lastOutput = readLastOutput(child)
    return { child, atMs: performance.now(), gone: endUnlessSilent(child, this.#options), lastOutput }
  }

  /** Waits until the current program ends, and returns how many ends in a row have come too early. */
  async #watch(program: Program, { gone, atMs, lastOutput }: Started, failures: number): Promise<number> {
    const { versions, log } = this.#options
    const { signal } = this.#ending
    const untilProvenMs = Math.max(0, atMs + this.#provenAfterMs - performance.now())
    const proving = versions.isProven() ? undefined : setTimeout(() => versions.prove(), untilProvenMs)
    const end = await gone
    clearTimeout(proving)
    if (signal.aborted || (end.code === NEXT_VERSION_EXIT_CODE && versions.hasTrial())) return 0
    const reasonAfter = (ends: number) =>
      `Version ${program.version} ended ${ends} times before it had run for ${this.#provenAfterMs / 60_000} min in one piece. The last time it ${end.words}${said(lastOutput())}`
    if (await versions.noteEarlyEnd(reasonAfter)) return 0
    const next = performance.now() - atMs > GOOD_AFTER_MS ? 0 : failures
    const waitMs = Math.min(FIRST_RESTART_MS * 2 ** next, LONGEST_RESTART_MS)
    log(`Version ${program.version} ${end.words}; it is started again in ${waitMs / 1000} s.`)
    await pause(waitMs, signal)
    return next + 1
  }
}

/** Passes on a client's output and remembers the last of it. */
function readLastOutput({ stdout, stderr }: ChildProcess): () => string {
  const words = createLastOutput()
  for (const [from, to] of [
    [stdout, process.stdout],
    [stderr, process.stderr],
  ] as const) {
    from?.setEncoding('utf8').on('data', (text: string) => {
      words.hear(text)
      to.write(text)
    })
  }
  return words.tell
}

const said = (words: string) => (words === '' ? '.' : `. It last said: ${words}`)

/** Ends a client that hangs, so that it can be started again: its link and its displays no longer respond. */
async function endUnlessSilent(
  child: ChildProcess,
  { log, silentAfterMs = SILENT_AFTER_MS }: SupervisorOptions,
): Promise<End> {
  let timer: NodeJS.Timeout | undefined
  let isHung = false
  const gone = endOf(child)
  child.on('message', (message) => {
    if (message !== ALIVE) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      isHung = true
      log(`The client has shown no sign of life for ${silentAfterMs / 1000} s, and is ended.`)
      void stopChild(child, gone)
    }, silentAfterMs)
  })
  const end = await gone
  clearTimeout(timer)
  return isHung ? { ...end, words: `showed no sign of life for ${silentAfterMs / 1000} s and was ended` } : end
}

interface End {
  readonly code: number | null
  /** Part of a sentence such as "Version 1.2.3 ended with code 1". */
  readonly words: string
}

async function endOf(child: ChildProcess): Promise<End> {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) await once(child, 'close')
  const { exitCode: code, signalCode } = child
  if (child.pid === undefined) return { code, words: 'could not be started' }
  return { code, words: signalCode === null ? `ended with code ${code}` : `was ended by ${signalCode}` }
}

async function stopChild(child: ChildProcess, gone: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_STOP_MS)
  await gone
  clearTimeout(timer)
}

/** Resolves early when aborted. */
const pause = (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined)
