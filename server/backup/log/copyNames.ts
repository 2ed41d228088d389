import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupRefused } from '../seal/backupRefused.ts'
import { refuseUnreadable } from '../seal/openFile.ts'
import { readHeader } from '../seal/sealedFile.ts'
import { eightDigits, type LogPosition, logPositionOf, sixteenDigits } from './logPosition.ts'

// The folder of backups holds one folder for each cluster, named by its system identifier, because clusters never share
// a log. In it each `copy-…` is a whole copy, and `log/` holds what happened since, in pieces.

export const SUMMARY_FILE = 'summary'
export const DATABASE_FILE = 'database'
export const MANIFEST_FILE = 'manifest'
export const FILES_FILE = 'files'

/** What a copy says about itself; everybody who can read the folder can read it. */
export interface CopyFacts {
  readonly systemId: string
  readonly timeline: number
  readonly major: number
  readonly isEmbedded: boolean
  readonly migration: number
  readonly segmentBytes: number
  /** The log is needed from the start position, and consistent from the end position on, as PostgreSQL writes them. */
  readonly startPosition: string
  readonly endPosition: string
  /** Both times are of the database's clock, as in `2026-11-23T20:50:06.000Z`. */
  readonly startedAt: string
  readonly endedAt: string
  readonly files: readonly { readonly name: string; readonly salt: string; readonly bytes: number }[]
  /** Earlier versions kept no list of copies (`copyList.ts`). */
  readonly isListed?: true
}

export interface Copy {
  readonly name: string
  readonly folder: string
  readonly facts: CopyFacts
}

export const systemFolder = (folder: string, systemId: string) => join(folder, systemId)

export const copyName = (startedAt: Date, timeline: number, position: LogPosition) =>
  `copy-${startedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${eightDigits(timeline)}-${sixteenDigits(position)}`

const COPY = /^copy-\d{8}T\d{6}Z-([0-9A-F]{8})-([0-9a-f]{16})$/

export function beginningOf(name: string): { readonly timeline: number; readonly position: LogPosition } {
  const [, timeline = '', position = ''] = COPY.exec(name) ?? []
  return { timeline: Number.parseInt(timeline, 16), position: BigInt(`0x${position}`) }
}
/** A copy with this in its name is not whole. */
export const UNFINISHED = '.unfinished-'

export const namesIn = async (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    return refuseUnreadable(folder)(error)
  })

export async function systemsIn(folder: string): Promise<readonly string[]> {
  return (await namesIn(folder)).filter((name) => /^\d{10,20}$/.test(name)).sort()
}

/** Lists whole copies of a cluster, oldest first; those without a readable summary are in `unreadable`. */
export async function copiesIn(folder: string, systemId: string) {
  const parent = systemFolder(folder, systemId)
  const copies: Copy[] = []
  const unreadable: string[] = []
  for (const name of (await namesIn(parent)).filter((each) => COPY.test(each)).sort()) {
    try {
      const { facts } = await readHeader<CopyFacts>(join(parent, name, SUMMARY_FILE), 'summary')
      refuseOtherName(facts, systemId, name)
      copies.push({ name, folder: join(parent, name), facts })
    } catch (error) {
      unreadable.push(error instanceof Error ? `${name}: ${error.message}` : name)
    }
  }
  return { copies, unreadable }
}

function refuseOtherName(facts: CopyFacts, systemId: string, name: string): void {
  const own = copyName(new Date(facts.startedAt), facts.timeline, logPositionOf(facts.startPosition))
  if (facts.systemId !== systemId) throw new BackupRefused(`It is of another database (${facts.systemId}).`)
  if (own !== name) throw new BackupRefused(`It is ${own} under another name.`)
}

/** A piece holds the log from one position to another. */
export interface Piece {
  readonly path: string
  readonly timeline: number
  readonly from: LogPosition
  readonly to: LogPosition
  /** The database's clock at its end: all that was committed before is in this piece or in earlier ones. */
  readonly reachesTo: Date
}

const PIECE = /^([0-9A-F]{8})-([0-9a-f]{16})-([0-9a-f]{16})-(\d{13})$/

export const logFolder = (folder: string, systemId: string) => join(systemFolder(folder, systemId), 'log')

export const pieceName = ({ timeline, from, to, reachesTo }: Omit<Piece, 'path'>) =>
  `${eightDigits(timeline)}-${sixteenDigits(from)}-${sixteenDigits(to)}-${String(reachesTo.getTime()).padStart(13, '0')}`

/** Reads the name of a piece; undefined for any other name. */
export function pieceOf(name: string): Omit<Piece, 'path'> | undefined {
  const [, timeline = '', from = '', to = '', reachesMs = ''] = PIECE.exec(name) ?? []
  if (timeline === '') return undefined
  return {
    timeline: Number.parseInt(timeline, 16),
    from: BigInt(`0x${from}`),
    to: BigInt(`0x${to}`),
    reachesTo: new Date(Number(reachesMs)),
  }
}

/** Lists pieces of a cluster in the order of its log, from their names alone. */
export async function piecesIn(folder: string, systemId: string): Promise<readonly Piece[]> {
  const parent = logFolder(folder, systemId)
  return (await namesIn(parent)).sort().flatMap((name) => {
    const piece = pieceOf(name)
    return piece ? [{ path: join(parent, name), ...piece }] : []
  })
}

/** Returns the pieces that follow a position without a gap. */
export function chainFrom(pieces: readonly Piece[], timeline: number, position: LogPosition): readonly Piece[] {
  const chain: Piece[] = []
  let reached = position
  for (const piece of pieces) {
    if (piece.timeline !== timeline || piece.to <= reached) continue
    if (piece.from > reached) break
    chain.push(piece)
    reached = piece.to
  }
  return chain
}

/** No moment between the two can be restored. */
export interface Gap {
  readonly from: Date
  /** The first whole copy behind the gap was finished then; undefined while there is none. */
  readonly to: Date | undefined
}

/**
 * Finds where the log was begun anew, so that what came before it ends there. A log that merely lags behind is no gap:
 * the database still holds it.
 *
 * @param copies of one timeline, oldest first
 * @param pieces of the same timeline, in their order
 */
export function gapsBetween(copies: readonly Copy[], pieces: readonly Piece[]): readonly Gap[] {
  const [oldest] = copies
  if (!oldest) return []
  let reached: LogPosition = logPositionOf(oldest.facts.endPosition)
  let reachedAt = new Date(0)
  const gaps: Gap[] = []
  for (const { from, to, reachesTo } of pieces) {
    if (to <= reached) continue
    if (from > reached) {
      const before = copies.findLast(({ facts }) => logPositionOf(facts.endPosition) <= reached) ?? oldest
      const behind = copies.find(({ facts }) => logPositionOf(facts.endPosition) >= from)
      gaps.push({ from: restorableTo(before, reachedAt), to: behind && new Date(behind.facts.endedAt) })
    }
    reached = to
    reachedAt = reachesTo
  }
  return gaps
}

/** A first piece of the log may name no moment, or one before the end of the copy that it follows. */
export function restorableTo({ facts }: Copy, reachesTo: Date | undefined): Date {
  const endedAt = new Date(facts.endedAt)
  return reachesTo && reachesTo > endedAt ? reachesTo : endedAt
}

export const sizeOf = async (path: string) => (await stat(path)).size
