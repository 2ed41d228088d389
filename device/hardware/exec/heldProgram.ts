import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { NOBODYS_ENVIRONMENT } from './runProgram.ts'

/** `setpriv` of util-linux ends the program with us, however we end. */
const SETPRIV = '/usr/bin/setpriv'

/** A program that does its work for as long as it runs. */
export interface HeldProgram {
  isRunning(): boolean
  /** Returns the last line of its error output. */
  complaint(): string
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>
  end(): Promise<void>
}

/** @param onLine receives each printed line */
export function holdProgram(
  program: string,
  args: readonly string[],
  onLine: (line: string) => void = () => {},
): HeldProgram {
  const child = spawn(SETPRIV, ['--pdeathsig', 'TERM', '--', program, ...args], {
    cwd: '/',
    env: NOBODYS_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let isRunning = true
  let complaint = ''
  let waiting = ''
  const ended = Promise.race([once(child, 'close'), once(child, 'error')]).then(
    () => {
      isRunning = false
    },
    (error: NodeJS.ErrnoException) => {
      isRunning = false
      complaint ||= `it cannot be started (${error.code})`
    },
  )
  child.stderr.on('data', (bytes: Buffer) => {
    complaint = bytes.toString('utf8').trim().split('\n')[0] ?? ''
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${waiting}${text}`.split('\n')
    waiting = (lines.pop() ?? '').slice(-200)
    lines.forEach(onLine)
  })
  return {
    isRunning: () => isRunning,
    complaint: () => complaint,
    ended,
    end: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
