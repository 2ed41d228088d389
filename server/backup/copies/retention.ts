import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '#domain/units/time.ts'
import { type Copy, copiesIn, type Piece, piecesIn, systemFolder, UNFINISHED } from '../log/copyNames.ts'
import { readLogEnd, removeLogEnd, timelinesWithEnd } from '../log/logEnd.ts'
import { logPositionOf } from '../log/logPosition.ts'
import { checkSeals } from './checkCopy.ts'
import { delistObsolete } from './copyList.ts'

export interface Obsolete {
  readonly copies: readonly Copy[]
  readonly pieces: readonly Piece[]
  /** Everything that stays begins with this copy; nothing is deleted when it is damaged. */
  readonly oldestKept: Copy | undefined
}

/**
 * Finds what is not needed to restore any moment of the last `keepDays` days. The newest copy before that time is
 * needed, because the moments after it begin with it; so one always stays.
 *
 * @param copies oldest first
 */
export function obsoleteOf(copies: readonly Copy[], pieces: readonly Piece[], now: Date, keepDays: number): Obsolete {
  const horizonMs = now.getTime() - keepDays * DAY_MS
  const oldestKept = copies.findLast(({ facts }) => Date.parse(facts.endedAt) <= horizonMs) ?? copies[0]
  if (!oldestKept) return { copies: [], pieces: [], oldestKept }
  return {
    copies: copies.slice(0, copies.indexOf(oldestKept)),
    pieces: pieces.filter((piece) => isBefore(oldestKept, piece)),
    oldestKept,
  }
}

/**
 * True when no restore that begins with the copy needs the piece. Positions decide: where the log lagged behind, a
 * piece names an earlier moment than what it holds. On another timeline the same positions hold other changes.
 */
export const isBefore = ({ facts }: Copy, { timeline, to, reachesTo }: Omit<Piece, 'path'>): boolean =>
  timeline === facts.timeline
    ? to <= logPositionOf(facts.startPosition)
    : timeline < facts.timeline && reachesTo.getTime() < Date.parse(facts.startedAt)

export interface TidyRequest {
  readonly folder: string
  readonly systemId: string
  readonly key: Buffer | undefined
  readonly keepDays: number
  readonly now: Date
}

/**
 * Deletes what is obsolete, once the copy on which all the rest depends was found whole.
 *
 * @throws BackupRefused when it is not; nothing was deleted then
 */
export async function tidyBackups({ folder, systemId, key, keepDays, now }: TidyRequest): Promise<Obsolete> {
  const { copies } = await copiesIn(folder, systemId)
  const obsolete = obsoleteOf(copies, await piecesIn(folder, systemId), now, keepDays)
  const { oldestKept } = obsolete
  if (!oldestKept) return obsolete
  if (obsolete.copies.length > 0) await checkSeals(oldestKept.folder, key)
  const obsoleteLogs = await obsoleteLogsOf({ folder, systemId, key, oldestKept })
  // The list changes first: what is half deleted must not look lost.
  await delistObsolete({ folder, systemId, key, oldestKept, obsoleteLogs })
  for (const copy of obsolete.copies) {
    // A half-deleted copy must not look whole.
    const doomed = join(systemFolder(folder, systemId), `${UNFINISHED}${copy.name}`)
    await rename(copy.folder, doomed)
    await rm(doomed, { recursive: true, force: true })
  }
  for (const timeline of obsoleteLogs) await removeLogEnd({ folder, systemId, timeline })
  for (const { path } of obsolete.pieces) await rm(path, { force: true })
  return obsolete
}

interface KeptFrom extends Pick<TidyRequest, 'folder' | 'systemId' | 'key'> {
  readonly oldestKept: Copy
}

/** Finds timelines whose log ended before all that is kept. */
async function obsoleteLogsOf({ folder, systemId, key, oldestKept }: KeptFrom): Promise<readonly number[]> {
  const obsolete: number[] = []
  for (const timeline of await timelinesWithEnd(folder, systemId)) {
    // `--check` reports an end that cannot be read.
    const end = await readLogEnd({ folder, systemId, timeline }, key, false).catch(() => undefined)
    if (end?.piece && isBefore(oldestKept, end.piece)) obsolete.push(timeline)
  }
  return obsolete
}
