import { type ChildProcess, spawn } from 'node:child_process'
import { HardwareError } from '../hardware.ts'

/** Longer output is no reading. */
const MOST_OUTPUT_BYTES = 64 * 1024
/** This much error output is enough for a line of the log. */
const MOST_COMPLAINT_BYTES = 2048

export const NOBODYS_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C.UTF-8',
} as const

export interface ProgramEnd {
  readonly code: number | null
  readonly output: string
  readonly complaint: string
}

export interface ProgramOptions {
  readonly program: string
  readonly arguments: readonly string[]
  readonly withinMs: number
  readonly signal?: AbortSignal
  /** Added to a path for programs and a neutral language. */
  readonly environment?: Readonly<Record<string, string>>
  /** The name in sentences for operators, so it is no path. */
  readonly name: string
}

/** Holds the running programs, so that none outlives the driver that started it. */
export type Running = Set<ChildProcess>

/**
 * Runs a program without a shell and without our environment, and ends it with all its children when its time is over
 * or it prints too much.
 *
 * @throws HardwareError in whole words when it does not start or does not end in time
 */
export function runProgram(options: ProgramOptions, running: Running): Promise<ProgramEnd> {
  const { name, withinMs, signal } = options
  return new Promise((resolve, reject) => {
    const child = spawn(options.program, options.arguments, {
      cwd: '/',
      env: { ...options.environment, ...NOBODYS_ENVIRONMENT },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      // It gets a process group, so that its children end with it.
      detached: true,
    })
    running.add(child)
    const [output, complaint]: [Buffer[], Buffer[]] = [[], []]
    let bytes = 0
    const finish = (end: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      running.delete(child)
      end()
    }
    const endWith = (reason: string) =>
      finish(() => {
        killGroup(child)
        reject(new HardwareError(`${name} ${reason}.`))
      })
    const giveUp = () => endWith('takes too long')
    const timer = setTimeout(giveUp, withinMs)
    signal?.addEventListener('abort', giveUp)
    child.on('error', (error: NodeJS.ErrnoException) =>
      endWith(`cannot be started (${error.code ?? 'unknown reason'})`),
    )
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      output.push(chunk)
      if (bytes > MOST_OUTPUT_BYTES) endWith('prints too much')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < MOST_COMPLAINT_BYTES / 64) complaint.push(chunk.subarray(0, MOST_COMPLAINT_BYTES))
    })
    child.on('close', (code) => {
      const [printed, complained] = [output, complaint].map((chunks) => Buffer.concat(chunks).toString('utf8'))
      finish(() => resolve({ code, output: printed ?? '', complaint: complained ?? '' }))
    })
  })
}

export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The program has ended already.
  }
}
