import { readRfc3339 } from '#domain/units/rfc3339.ts'
import { BackupRefused } from '../seal/backupRefused.ts'
import type { Restored } from './restoreCopy.ts'

// Reads the arguments of a restore, and formats its result.

/**
 * Reads the moment of `--until`.
 *
 * @throws BackupRefused for an inexact one: another moment than the intended one would be restored silently
 */
export function readUntil(given: string): Date {
  // Finer digits would be cut off, and with them changes that are wanted back.
  const momentMs = /\.\d{4}/.test(given) ? Number.NaN : readRfc3339(given)
  if (!Number.isNaN(momentMs)) return new Date(momentMs)
  throw new BackupRefused(
    `--until needs a moment that exists, with its zone and to the millisecond at most, as 2026-11-23T20:00:00Z, not "${given}".`,
  )
}

/** The text names the moment of the last replayed commit, not one that was hoped for. */
export function restoredText({ copy, wholeTo, lastCommitAt }: Restored): string {
  const { startedAt, endedAt } = copy.facts
  if (!wholeTo) {
    const restored = lastCommitAt
      ? `Restored as of ${lastCommitAt.toISOString()}, the last commit in ${copy.name}.`
      : `Restored as of ${startedAt}, when ${copy.name} was begun: it holds no later commit.`
    return `${restored} No log goes on behind its end: what was committed while it ended, up to ${endedAt}, may be missing.`
  }
  if (!lastCommitAt) {
    return `Restored as of ${endedAt}, when ${copy.name} was taken: no change was committed behind it up to ${wholeTo.toISOString()}.`
  }
  const restored = `Restored as of ${lastCommitAt.toISOString()}, the last commit`
  return lastCommitAt < wholeTo
    ? `${restored}: nothing was committed between that and ${wholeTo.toISOString()}.`
    : `${restored} in the log that was kept.`
}
