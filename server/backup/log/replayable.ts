import { join } from 'node:path'
import { BackupRefused } from '../seal/backupRefused.ts'
import { isEncrypted } from '../seal/sealedRecord.ts'
import { type Copy, piecesIn, SUMMARY_FILE } from './copyNames.ts'
import { type LogOfTimeline, missingAtEnd, readLogEnd } from './logEnd.ts'
import { type LogPosition, logPositionOf } from './logPosition.ts'
import { breakBetween, type ProvenPiece, provePiece, type Sealing } from './logProof.ts'

/** The log behind a copy, as far as each piece is proven to belong there. */
export interface Replayable {
  readonly pieces: readonly ProvenPiece[]
  /** It is proven up to this moment. */
  readonly reachesTo: Date
  /** It is proven up to this position. */
  readonly reached: LogPosition
  /**
   * All that was committed before this moment is there; undefined where no log follows the end of the copy. The copy
   * itself says only when it was finished, and lacks what was committed while it ended.
   */
  readonly wholeTo: Date | undefined
  /** The reason why it ends although more was kept; undefined when it is all that was kept. */
  readonly fault: string | undefined
}

interface Wanted {
  readonly folder: string
  readonly key: Buffer | undefined
  /** Reading stops once this moment is reached. */
  readonly until?: Date | undefined
}

export async function readReplayable({ folder: copyFolder, facts }: Copy, wanted: Wanted): Promise<Replayable> {
  const { folder, key, until } = wanted
  const log = { folder, systemId: facts.systemId, timeline: facts.timeline }
  const end = logPositionOf(facts.endPosition)
  const behind = (await piecesIn(folder, facts.systemId)).filter(
    ({ timeline, to }) => timeline === facts.timeline && to > end,
  )
  const sealing = {
    systemId: facts.systemId,
    key,
    isEncrypted: await isEncrypted(join(copyFolder, SUMMARY_FILE), 'summary'),
  }
  const pieces: ProvenPiece[] = []
  let fault: string | undefined
  for (const piece of behind) {
    // One piece more than holds the moment is read: what was committed just then may have been sent a little later.
    if (until && (pieces.at(-2)?.piece.reachesTo ?? 0) >= until) break
    fault = await provePiece(piece, sealing).then((proven) => takeNext(pieces, proven, end), sentenceOf)
    if (fault !== undefined) break
  }
  if (fault === undefined && pieces.length === behind.length) fault = await faultAtEnd(log, pieces, end, sealing)
  const endedAt = new Date(facts.endedAt)
  const last = pieces.at(-1)?.piece.reachesTo
  const wholeTo = last && last > endedAt ? last : undefined
  return { pieces, reachesTo: wholeTo ?? endedAt, reached: pieces.at(-1)?.piece.to ?? end, wholeTo, fault }
}

/** @returns why it cannot be the next one */
function takeNext(pieces: ProvenPiece[], next: ProvenPiece, end: LogPosition): string | undefined {
  const last = pieces.at(-1)
  if (!last && next.piece.from > end) return `The log between the copy and ${next.link.name} is missing.`
  const found = last && breakBetween(last, next)
  if (found?.kind === 'earlier') pieces.pop()
  if (!found) pieces.push(next)
  return found?.why
}

async function faultAtEnd(
  log: LogOfTimeline,
  pieces: readonly ProvenPiece[],
  end: LogPosition,
  sealing: Sealing,
): Promise<string | undefined> {
  try {
    return missingAtEnd(await readLogEnd(log, sealing.key, sealing.isEncrypted), pieces, end)
  } catch (error) {
    return sentenceOf(error)
  }
}

/** A refusal is a fact about the backup; any other error is thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof BackupRefused) return error.message
  throw error
}
