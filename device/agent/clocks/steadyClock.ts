import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A moment by a clock that nobody can set, and that begins anew with every start of the computer. */
export interface SteadyMoment {
  /** Moments of two epochs cannot be compared. */
  readonly epoch: string
  readonly steadyMs: number
}

export interface SteadyClock {
  readonly epoch: string
  now(): number
}

/** The monotonic clock of the computer, so that a restarted agent can date what it kept before. */
export function bootClock(): SteadyClock {
  return { epoch: bootId() ?? randomUUID(), now: () => Number(process.hrtime.bigint() / 1000n) / 1000 }
}

/** Undefined if the system has none; then moments of an earlier process belong to another epoch. */
function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
