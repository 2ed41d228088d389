import { join } from 'node:path'
import {
  type Copy,
  copiesIn,
  DATABASE_FILE,
  FILES_FILE,
  logFolder,
  MANIFEST_FILE,
  namesIn,
  type Piece,
  pieceOf,
  piecesIn,
  SUMMARY_FILE,
  systemFolder,
  systemsIn,
} from '../log/copyNames.ts'
import { missingAtEnd, readLogEnd, timelinesWithEnd } from '../log/logEnd.ts'
import { breakBetween, type ProvenPiece, provePiece } from '../log/logProof.ts'
import { isEncrypted, refusePlain } from '../seal/sealedRecord.ts'
import { checkContents } from './checkCopy.ts'
import { listFaults } from './copyList.ts'
import { isBefore } from './retention.ts'

export interface Findings {
  /** Counts the copies and pieces of the log that were read. */
  readonly count: number
  readonly wrong: readonly string[]
  /** Notes are no faults, and yet somebody who restores has to know them. */
  readonly notes: readonly string[]
}

type CheckCopy = (folder: string, key: Buffer | undefined) => Promise<void>

/** Reads everything in a folder of backups to its last byte, and looks for what is missing or surplus. */
export async function checkBackups(
  folder: string,
  key: Buffer | undefined,
  checkCopy: CheckCopy = checkContents,
): Promise<Findings> {
  const found = { count: 0, wrong: [] as string[], notes: [] as string[] }
  const note = (where: string) => (error: unknown) => {
    found.wrong.push(`${where}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const systems = await systemsIn(folder)
  if (systems.length === 0) found.wrong.push(`There is no backup in ${folder}.`)
  for (const systemId of systems) {
    const { copies, unreadable } = await copiesIn(folder, systemId)
    found.wrong.push(...unreadable)
    if (copies.length === 0) found.wrong.push(noCopyOf(systemId))
    let isAfterEncrypted = false
    for (const copy of copies) {
      const summary = join(copy.folder, SUMMARY_FILE)
      await checkCopy(copy.folder, key).catch(note(copy.name))
      if (isAfterEncrypted) await refusePlain(summary, 'summary').catch(note(copy.name))
      isAfterEncrypted ||= await isEncrypted(summary, 'summary')
    }
    found.count += copies.length
    await listFaults(folder, systemId, key).then((faults) => found.wrong.push(...faults), note('copies'))
    const pieces = await piecesIn(folder, systemId)
    const timelines = new Set([
      ...pieces.map(({ timeline }) => timeline),
      ...(await timelinesWithEnd(folder, systemId)),
    ])
    for (const timeline of timelines) {
      const log = new LogCheck({ folder, systemId, timeline, key, copies, found })
      await log.read(pieces.filter((piece) => piece.timeline === timeline))
    }
    found.count += pieces.length
    found.wrong.push(...(await strangersIn(folder, systemId, copies)))
  }
  return found
}

/** A start without `DATABASE_URL` begins backups of a database that nobody wanted. */
export const noCopyOf = (systemId: string): string =>
  `There is no copy of the database ${systemId} that can be read. If that database was begun by mistake, delete its folder.`

interface LogCheckDeps {
  readonly folder: string
  readonly systemId: string
  readonly timeline: number
  readonly key: Buffer | undefined
  readonly copies: readonly Copy[]
  readonly found: { readonly wrong: string[]; readonly notes: string[] }
}

/** Checks the log of one timeline: each piece, each border between two, its beginning and its end. */
class LogCheck {
  readonly #deps: LogCheckDeps
  readonly #pieces: ProvenPiece[] = []

  constructor(deps: LogCheckDeps) {
    this.#deps = deps
  }

  async read(pieces: readonly Piece[]): Promise<void> {
    const { found, systemId, key } = this.#deps
    let isAfterEncrypted = false
    for (const piece of pieces) {
      try {
        this.#take(await provePiece(piece, { systemId, key, isEncrypted: isAfterEncrypted }))
        isAfterEncrypted ||= await isEncrypted(piece.path, 'log')
      } catch (error) {
        found.wrong.push(`log: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    this.#checkBeginning()
    await this.#checkEnd(isAfterEncrypted)
    const unbound = this.#pieces.filter(({ isBound }) => !isBound).length
    if (unbound > 0) {
      found.notes.push(
        `${unbound} pieces of the log are of a version of Wayside that did not seal their places: that each is the one ` +
          'that belongs there cannot be proven.',
      )
    }
  }

  #take(piece: ProvenPiece): void {
    const { wrong, notes } = this.#deps.found
    const before = this.#pieces.at(-1)
    const found = before && breakBetween(before, piece)
    if (found?.kind === 'begunAnew') notes.push(found.why)
    else if (found) wrong.push(`log: ${found.why}`)
    this.#pieces.push(piece)
  }

  /** What came before the first piece may be gone only together with the copies that needed it. */
  #checkBeginning(): void {
    const { copies, found } = this.#deps
    const before = this.#pieces[0]?.after
    const piece = before && pieceOf(before.name)
    const [oldest] = copies
    if (!piece || !oldest || isBefore(oldest, piece)) return
    found.wrong.push(`log: The beginning is missing: ${before.name} and what was before it.`)
  }

  async #checkEnd(isExpectedEncrypted: boolean): Promise<void> {
    const { key, found } = this.#deps
    try {
      const end = await readLogEnd(this.#deps, key, isExpectedEncrypted)
      const missing = missingAtEnd(end, this.#pieces, 0n)
      if (missing !== undefined) found.wrong.push(`log: ${missing}`)
    } catch (error) {
      found.wrong.push(`log: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

const OF_A_COPY = new Set([SUMMARY_FILE, DATABASE_FILE, MANIFEST_FILE, FILES_FILE])
const OF_A_SYSTEM = /^(\..*|log|copies|copy-.*|log-end-[0-9A-F]{8})$/

/** Finds names that Wayside did not give: a file may have been renamed. A name with a leading dot is unfinished. */
async function strangersIn(folder: string, systemId: string, copies: readonly Copy[]): Promise<readonly string[]> {
  const inLog = (await namesIn(logFolder(folder, systemId))).filter((name) => !name.startsWith('.') && !pieceOf(name))
  const inSystem = (await namesIn(systemFolder(folder, systemId))).filter((name) => !OF_A_SYSTEM.test(name))
  const inCopies: string[] = []
  for (const copy of copies) {
    const names = (await namesIn(copy.folder)).filter((name) => !OF_A_COPY.has(name))
    inCopies.push(...names.map((name) => join(copy.name, name)))
  }
  return [...inLog.map((name) => join('log', name)), ...inSystem, ...inCopies].map(
    (name) => `${name}: it is no part of a backup; was it renamed?`,
  )
}
