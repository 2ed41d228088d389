import { execFile } from 'node:child_process'
import { HardwareError } from '../hardware.ts'

/** This is long enough for the reply to reach the server. */
const REBOOTS_AFTER_MS = 5000
const ORDER_ENDS_AFTER_MS = 5000

/**
 * Requests a restart from systemd-logind, which knows at once whether this user may and keeps the request when this
 * program ends.
 *
 * @param program `busctl`, or its replacement in tests
 * @throws HardwareError with its words if it refuses, or if it is missing
 */
export function rebootHost(program: string): Promise<void> {
  const microseconds = `${Date.now() + REBOOTS_AFTER_MS}000`
  const manager = ['org.freedesktop.login1', '/org/freedesktop/login1', 'org.freedesktop.login1.Manager']
  const order = ['--system', 'call', ...manager, 'ScheduleShutdown', 'st', 'reboot', microseconds]
  return new Promise((resolve, reject) => {
    execFile(program, order, { timeout: ORDER_ENDS_AFTER_MS }, (error, _said, complaint) => {
      if (!error) return resolve()
      const why = complaint.trim().split('\n')[0] || 'it has no systemd-logind that answers'
      reject(new HardwareError(`The client may not restart this computer: ${why.replace(/\.$/, '')}.`))
    })
  })
}
