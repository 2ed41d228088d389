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
/** A client that lived this long was a good one: its next end is the first again. */
const GOOD_AFTER_MS = 60_000
/** Three ends in this time are seen as well when each of them takes ten minutes to come. */
const PROVEN_AFTER_MS = 30 * 60_000
/** More than a look takes at hardware that answers to nothing. */
const SILENT_AFTER_MS = 180_000

export interface SuperviseOptions {
  readonly shelf: InstalledVersions
  /** What every version is started with. */
  readonly agentArguments: readonly string[]
  /** Within it a new version must be connected and healthy. */
  readonly trialMs: number
  readonly log: (line: string) => void
  /** After which a client that has said that it lives is taken for hung; a real launcher's, but for tests. */
  readonly silentAfterMs?: number
  /** So long a new version has to run in one piece before it counts as proven; a real launcher's, but for tests. */
  readonly provenAfterMs?: number
}

/** A client that was started. */
interface Started {
  readonly child: ChildProcess
  readonly atMs: number
  readonly gone: Promise<End>
  /** Empty of a version that has proven itself: nobody asks for its last words. */
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
    // The channel is how the client notices that the launcher is gone: two clients must never run side by side.
    const started = spawn(process.execPath, ['--no-deprecation', program.path, ...options.agentArguments, ...more], {
      stdio: ['ignore', output, output, 'ipc'],
    })
    // `endOf` tells of it; an error that nobody listens to would end the launcher.
    started.on('error', () => undefined)
    child = started
    if (ending.signal.aborted) started.kill()
    const lastOutput = readLastOutput(started)
    return { child: started, atMs: performance.now(), gone: endUnlessSilent(started, options), lastOutput }
  }

  /** Waits until the current program ends, and answers how many ends in a row have come too soon. */
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

  /** As `watch`, where the trial ends well; otherwise the one before is started at once. */
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
    // Only now: what is dead confirms nothing more.
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

/** Passes on what a client writes where the launcher hears it, and remembers what it said last. */
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

/** One that hangs is ended, so that it can be started again: its link answers to nobody, and its displays to nothing. */
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
  /** As in "Version 1.2.3 ended with code 1". */
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
