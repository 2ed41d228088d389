import { execFile } from 'node:child_process'
import type { ServiceWatch } from './config.ts'

/** Node.js has no local datagram sockets; this program comes with systemd. */
const SYSTEMD_NOTIFY = 'systemd-notify'
const PROGRAMS = '/usr/local/bin:/usr/bin:/bin'
const TOLD_WITHIN_MS = 5000
/** sd_watchdog_enabled(3) recommends two signs within its time limit. */
const SIGNS_IN_A_WATCH = 2

/**
 * Tells systemd that the launcher has started and, as long as its event loop runs, that it is alive. Does nothing if
 * nothing watches.
 *
 * @returns a function that ends it, and reports that
 */
export function showLife({ socket, watchdogMs }: ServiceWatch, log: (line: string) => void): () => void {
  if (socket === undefined) return () => undefined
  let isTold = true
  const tell = (...words: string[]) =>
    execFile(
      SYSTEMD_NOTIFY,
      words,
      { env: { PATH: PROGRAMS, NOTIFY_SOCKET: socket }, timeout: TOLD_WITHIN_MS },
      (error) => {
        if (error && isTold) log(`systemd is not told anything: ${error.message.split('\n')[0]}`)
        isTold = !error
      },
    )
  tell('--ready')
  const timer =
    watchdogMs === undefined ? undefined : setInterval(() => tell('WATCHDOG=1'), watchdogMs / SIGNS_IN_A_WATCH)
  return () => {
    clearInterval(timer)
    tell('STOPPING=1')
  }
}
