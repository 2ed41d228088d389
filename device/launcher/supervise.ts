import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ALIVE, NEXT_VERSION_EXIT_CODE } from './clientFolder.ts'
import type { InstalledVersions, Program } from './installedVersions.ts'
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

export interface SuperviseOptions {
  readonly shelf: InstalledVersions
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

/** Keeps one client running, and tries a new one when there is one. Resolves after `stop`. */
export function supervise(options: SuperviseOptions): { readonly ended: Promise<void>; stop(): void } {
  const { shelf, log, provenAfterMs = PROVEN_AFTER_MS } = options
  const ending = new AbortController()
  let child: ChildProcess | undefined

  const start = (program: Program, ...more: string[]): Started => {
    const isTrial = more.length > 0
    log(`Starting version ${program.version}${isTrial ? ' for a trial' : ''}.`)
    const isHeard = isTrial || !shelf.isProven()
    const output = isHeard ? 'pipe' : 'inherit'
    // Through the channel the client notices that the launcher is gone: two clients must never run at once.
    const started = spawn(process.execPath, ['--no-deprecation', program.path, ...options.agentArguments, ...more], {
      stdio: ['ignore', output, output, 'ipc'],
    })
    // `endOf` reports it; an error without a listener would end the launcher.
    started.on('error', () => undefined)
    child = started
    if (ending.signal.aborted) started.kill()
    const lastOutput = readLastOutput(started)
    return { child: started, atMs: performance.now(), gone: endUnlessSilent(started, options), lastOutput }
  }

  /** Waits until the current program ends, and returns how many ends in a row have come too early. */
  const watch = async (program: Program, started: Started, failures: number): Promise<number> => {
    const { gone, atMs, lastOutput } = started
    const untilProvenMs = Math.max(0, atMs + provenAfterMs - performance.now())
    const proving = shelf.isProven() ? undefined : setTimeout(shelf.prove, untilProvenMs)
    const end = await gone
    clearTimeout(proving)
    if (ending.signal.aborted || (end.code === NEXT_VERSION_EXIT_CODE && shelf.hasTrial())) return 0
    const reasonAfter = (ends: number) =>
      `Version ${program.version} ended ${ends} times before it had run for ${provenAfterMs / 60_000} min in one piece. The last time it ${end.words}${said(lastOutput())}`
    if (await shelf.noteEarlyEnd(reasonAfter)) return 0
    const next = performance.now() - atMs > GOOD_AFTER_MS ? 0 : failures
    const waitMs = Math.min(FIRST_RESTART_MS * 2 ** next, LONGEST_RESTART_MS)
    log(`Version ${program.version} ${end.words}; it is started again in ${waitMs / 1000} s.`)
    await pause(waitMs, ending.signal)
    return next + 1
  }

  const runCurrent = async (failures: number): Promise<number> => {
    const program = await shelf.current()
    if (!program) throw new Error('There is no client to start: --first names none.')
    return watch(program, start(program), failures)
  }

  /** Like `watch` after a successful trial; otherwise the version before is started at once. */
  const runTrial = async (trial: Program & { readonly updateId: string }): Promise<number> => {
    const started = start(trial, '--trial', trial.updateId)
    let end: End | undefined
    void started.gone.then((known) => {
      end = known
    })
    const limit = performance.now() + options.trialMs
    while (!end && performance.now() < limit && !shelf.isConfirmed(trial.updateId)) {
      await Promise.race([started.gone, pause(LOOK_FOR_CONFIRMATION_MS)])
    }
    const isLate = !end && !shelf.isConfirmed(trial.updateId)
    if (isLate) await stopChild(started.child, started.gone)
    // This must come after the end: a dead program cannot confirm any more.
    if (shelf.isConfirmed(trial.updateId)) {
      shelf.promote(trial.updateId)
      return watch(trial, started, 0)
    }
    if (ending.signal.aborted) return 0
    const wrong =
      isLate || !end
        ? `was not connected and healthy within ${options.trialMs / 1000} seconds`
        : `${end.words} before it was connected`
    shelf.fail(`Version ${trial.version} ${wrong}${said(started.lastOutput())}`)
    return 0
  }

  const run = async () => {
    let failures = 0
    while (!ending.signal.aborted) {
      const trial = await shelf.nextTrial().catch((error: Error) => {
        log(`The new version cannot be tried: ${error.message}`)
        return undefined
      })
      failures = trial ? await runTrial(trial) : await runCurrent(failures)
    }
  }

  return {
    ended: run(),
    stop: () => {
      ending.abort()
      if (child) void stopChild(child, endOf(child))
    },
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
  { log, silentAfterMs = SILENT_AFTER_MS }: SuperviseOptions,
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
