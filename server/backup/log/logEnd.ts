import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BackupRefused } from '../seal/backupRefused.ts'
import { readRecord, refusePlain, replaceRecord } from '../seal/sealedRecord.ts'
import { namesIn, pieceOf, systemFolder } from './copyNames.ts'
import { eightDigits, type LogPosition } from './logPosition.ts'
import type { PieceLink, ProvenPiece } from './logProof.ts'

// Each piece of the log names the one before it, so a file beside the log names the last one. Without it the newest
// pieces could vanish, and the rest would look whole.

interface LogEnd {
  readonly systemId: string
  readonly timeline: number
  /** Absent while no piece was kept. */
  readonly last?: PieceLink
}

export interface LogOfTimeline {
  readonly folder: string
  readonly systemId: string
  readonly timeline: number
}

const PREFIX = 'log-end-'

const logEndPath = ({ folder, systemId, timeline }: LogOfTimeline) =>
  join(systemFolder(folder, systemId), `${PREFIX}${eightDigits(timeline)}`)

/** Lists the timelines with a recorded end of their log. */
export async function timelinesWithEnd(folder: string, systemId: string): Promise<readonly number[]> {
  const names = await namesIn(systemFolder(folder, systemId))
  return names.flatMap((name) => (/^log-end-[0-9A-F]{8}$/.test(name) ? [Number.parseInt(name.slice(-8), 16)] : []))
}

export async function writeLogEnd(log: LogOfTimeline, last: PieceLink | undefined, key: Buffer | undefined) {
  const { systemId, timeline } = log
  const facts: LogEnd = { systemId, timeline, ...(last && { last }) }
  await replaceRecord(logEndPath(log), 'logEnd', facts, key)
}

/**
 * @param isEncrypted whether it has to be
 * @returns undefined where no end was recorded
 * @throws BackupRefused when it was changed
 */
export async function readLogEnd(log: LogOfTimeline, key: Buffer | undefined, isEncrypted: boolean) {
  const path = logEndPath(log)
  const end = await readRecord<LogEnd>(path, 'logEnd', key)
  if (!end) return undefined
  if (isEncrypted) await refusePlain(path, 'logEnd')
  if (end.systemId !== log.systemId || end.timeline !== log.timeline) {
    throw new BackupRefused(`${basename(path)} belongs to another log.`)
  }
  return { last: end.last, piece: end.last && pieceOf(end.last.name) }
}

/** Removes the recorded end of a log whose last piece is obsolete. */
export async function removeLogEnd(log: LogOfTimeline): Promise<void> {
  await rm(logEndPath(log), { force: true })
}

/** Says what was kept and is missing at the end of a log; undefined when nothing is. */
export function missingAtEnd(
  end: Awaited<ReturnType<typeof readLogEnd>>,
  pieces: readonly ProvenPiece[],
  /** The pieces exist from this position on. */
  from: LogPosition,
): string | undefined {
  if (!end) {
    if (!pieces.at(-1)?.isBound) return undefined
    return 'The file that says where the log ends is missing, so pieces behind the last one may be missing too.'
  }
  const behind = pieces.filter(({ piece, isBound }) => isBound && piece.from >= (end.piece?.to ?? 0n))
  // It is rewritten after each piece, so it lags by one at most, when the machine stopped just then.
  if (behind.length > 1) {
    return (
      `The file that says where the log ends is older than the log: ${behind.length} pieces lie behind the one that it ` +
      'names, so others may be missing.'
    )
  }
  if (!end.last || !end.piece || end.piece.to <= from) return undefined
  const { name, sha256 } = end.last
  const found = pieces.find(({ link }) => link.name === name)
  if (!found) return `The end of the log is missing: it reached to ${end.piece.reachesTo.toISOString()}, with ${name}.`
  return found.link.sha256 === sha256 ? undefined : `${name} is not the piece that was kept there.`
}
