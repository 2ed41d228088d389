import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '#domain/units/time.ts'
import { checkSeals } from './checkCopy.ts'
import { type Copy, copiesIn, type Piece, piecesIn, systemFolder, UNFINISHED } from './copyNames.ts'

export interface Obsolete {
  readonly copies: readonly Copy[]
  readonly pieces: readonly Piece[]
  /** With which everything begins that stays; nothing goes when it is not whole. */
  readonly oldestKept: Copy | undefined
}

/**
 * What is not needed to restore any moment of the last `keepDays` days. The newest copy before that time is needed, since the
 * moments after it begin with it; so one always stays.
 *
 * @param copies oldest first
 */
export function obsoleteOf(copies: readonly Copy[], pieces: readonly Piece[], now: Date, keepDays: number): Obsolete {
  const horizonMs = now.getTime() - keepDays * DAY_MS
  const oldestKept = copies.findLast(({ facts }) => Date.parse(facts.endedAt) <= horizonMs) ?? copies[0]
  if (!oldestKept) return { copies: [], pieces: [], oldestKept }
  const beganMs = Date.parse(oldestKept.facts.startedAt)
  return {
    copies: copies.slice(0, copies.indexOf(oldestKept)),
    pieces: pieces.filter(({ reachesTo }) => reachesTo.getTime() < beganMs),
    oldestKept,
  }
}

export interface TidyWish {
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
export async function tidyBackups({ folder, systemId, key, keepDays, now }: TidyWish): Promise<Obsolete> {
  const { copies } = await copiesIn(folder, systemId)
  const obsolete = obsoleteOf(copies, await piecesIn(folder, systemId), now, keepDays)
  if (obsolete.copies.length > 0 && obsolete.oldestKept) await checkSeals(obsolete.oldestKept.folder, key)
  for (const copy of obsolete.copies) {
    // Half deleted it must not look whole.
    const doomed = join(systemFolder(folder, systemId), `${UNFINISHED}${copy.name}`)
    await rename(copy.folder, doomed)
    await rm(doomed, { recursive: true, force: true })
  }
  for (const { path } of obsolete.pieces) await rm(path, { force: true })
  return obsolete
}
