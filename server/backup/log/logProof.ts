import { basename } from 'node:path'
import { BackupRefused } from '../seal/backupRefused.ts'
import { readHeader } from '../seal/sealedFile.ts'
import { proveSeal, refusePlain, sha256Of } from '../seal/sealedRecord.ts'
import { unsealed } from '../seal/sealInto.ts'
import type { Piece } from './copyNames.ts'

/** Identifies a piece of the log by its name and its bytes. */
export interface PieceLink {
  readonly name: string
  readonly sha256: string
}

/** A piece of the log says this inside its seal; pieces of earlier versions say nothing. */
export interface PieceFacts {
  readonly systemId: string
  readonly name: string
  /** The piece before it; absent where the log of a timeline begins. */
  readonly after?: PieceLink
}

export interface ProvenPiece {
  readonly piece: Piece
  readonly link: PieceLink
  readonly after: PieceLink | undefined
  /** Its seal says its name and its place. */
  readonly isBound: boolean
}

export interface Sealing {
  readonly systemId: string
  readonly key: Buffer | undefined
  readonly isEncrypted: boolean
}

/** Proves that a piece is what its name says. @throws BackupRefused */
export async function provePiece(piece: Piece, { systemId, key, isEncrypted }: Sealing): Promise<ProvenPiece> {
  const { path } = piece
  const name = basename(path)
  const { facts } = await readHeader<Partial<PieceFacts>>(path, 'log')
  if (isEncrypted) await refusePlain(path, 'log')
  await proveSeal(path, 'log', key)
  if (facts.name === undefined) {
    await refuseOtherLength(piece, key)
  } else if (facts.systemId !== systemId) {
    throw new BackupRefused(`${name} is of another database (${facts.systemId}).`)
  } else if (facts.name !== name) {
    throw new BackupRefused(`${name} is not what its name says: it is ${facts.name}.`)
  }
  const link = { name, sha256: await sha256Of(path) }
  return { piece, link, after: facts.after, isBound: facts.name !== undefined }
}

/** The length is all that can be checked when the seal does not say the name of the piece. */
async function refuseOtherLength({ path, from, to }: Piece, key: Buffer | undefined): Promise<void> {
  let bytes = 0n
  for await (const part of unsealed(path, key, 'log')) bytes += BigInt(part.length)
  if (bytes === to - from) return
  throw new BackupRefused(`${basename(path)} holds ${bytes} bytes of the log, and by its name it holds ${to - from}.`)
}

export interface Break {
  /** `gap` means that something in between is missing; `earlier` or `later` that this one does not belong there. */
  readonly kind: 'gap' | 'begunAnew' | 'earlier' | 'later'
  readonly why: string
}

/** Says why a piece does not follow another one; undefined when it does. */
export function breakBetween(earlier: ProvenPiece, later: ProvenPiece): Break | undefined {
  const [before, behind] = [earlier.link.name, later.link.name]
  const isApart = later.piece.from > earlier.piece.to
  if (later.piece.from < earlier.piece.to) {
    return { kind: 'later', why: `${behind} is one piece too many: ${before} holds that part of the log.` }
  }
  const { after } = later
  if (later.isBound && !after) {
    return { kind: 'later', why: `The log began with ${behind}, so ${before} cannot stand before it.` }
  }
  if (after && after.name !== before) {
    return { kind: 'gap', why: `Something is missing before ${behind}: it follows ${after.name}, not ${before}.` }
  }
  if (after && after.sha256 !== earlier.link.sha256) {
    return { kind: 'earlier', why: `${before} is not the piece that ${behind} was written behind.` }
  }
  if (!isApart) return undefined
  if (!after) return { kind: 'gap', why: `Something is missing between ${before} and ${behind}.` }
  return {
    kind: 'begunAnew',
    why:
      `The log has a gap from ${earlier.piece.reachesTo.toISOString()} on: the database could no longer hold back what ` +
      `was not kept, and the log began anew with ${behind}.`,
  }
}
