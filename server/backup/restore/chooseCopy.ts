import { lostBehind } from '../copies/copyList.ts'
import { type Copy, copiesIn, type Piece, piecesIn, systemsIn } from '../log/copyNames.ts'
import { timelinesWithEnd } from '../log/logEnd.ts'
import { type Replayable, readReplayable, sentenceOf } from '../log/replayable.ts'
import { BackupRefused } from '../seal/backupRefused.ts'

export interface Choice {
  readonly copy: Copy
  /** The pieces to replay on the copy, in order, each read and proven. */
  readonly pieces: readonly Piece[]
  readonly reachesTo: Date
  /** All that was committed before this moment is in it; undefined where no log follows the copy. */
  readonly wholeTo: Date | undefined
  /** Counts pieces of earlier versions, whose seals do not say their places. */
  readonly unbound: number
  /** The newest timeline of the database in the folder. */
  readonly newestTimeline: number
}

export interface Choosing {
  readonly folder: string
  readonly systemId?: string
  readonly name?: string
  /** The requested moment; the newest when it is absent. */
  readonly until?: Date
  readonly key: Buffer | undefined
  readonly say: (sentence: string) => void
}

/**
 * Chooses the newest copy before the requested moment.
 *
 * @throws BackupRefused when there is none
 */
export async function chooseCopy({ folder, systemId, name, until, say }: Choosing): Promise<Copy> {
  const system = chooseSystem(folder, await systemsIn(folder), systemId)
  const { copies, unreadable } = await copiesIn(folder, system)
  const named = copies.filter((copy) => name === undefined || copy.name === name)
  if (named.length === 0) {
    const [why] = unreadable.filter((each) => name === undefined || each.startsWith(name))
    throw new BackupRefused(why ?? (name ? `There is no copy ${name} in ${folder}.` : `There is no copy in ${folder}.`))
  }
  if (name === undefined) for (const why of unreadable) say(`Not usable: ${why}`)
  const early = named.filter(({ facts }) => !until || new Date(facts.endedAt) <= until)
  const copy = early.at(-1)
  if (!copy) {
    const [first] = named
    throw new BackupRefused(`The oldest copy is of ${first?.facts.endedAt}: nothing earlier can be restored.`)
  }
  return copy
}

const countOf = (pieces: number) => (pieces === 1 ? 'one piece' : `${pieces} pieces`)

/**
 * Chooses the log behind a copy up to the requested moment, or all of it, and proves each piece.
 *
 * @throws BackupRefused when something in between is missing, with the moment up to which nothing is
 */
export async function chooseLog(copy: Copy, { folder, name, key, until }: Choosing): Promise<Choice> {
  const log = await readReplayable(copy, { folder, key, until })
  const isEnough = until !== undefined && until <= log.reachesTo
  const isAllWanted = until === undefined && name === undefined
  const fault =
    log.fault ?? (isAllWanted ? await lostBehind(copy, log.reached, { folder, key }).catch(sentenceOf) : undefined)
  if (fault !== undefined && !isEnough) throw new BackupRefused(faultLabel(copy, log, fault, until))
  if (until !== undefined && !isEnough) {
    throw new BackupRefused(
      `The backup reaches to ${log.reachesTo.toISOString()}, not to ${until.toISOString()}: without --until all of it is restored.`,
    )
  }
  return {
    copy,
    pieces: log.pieces.map(({ piece }) => piece),
    reachesTo: until ?? log.reachesTo,
    wholeTo: log.wholeTo && (until ?? log.wholeTo),
    unbound: log.pieces.filter(({ isBound }) => !isBound).length,
    newestTimeline: await newestTimeline(folder, copy.facts.systemId),
  }
}

async function newestTimeline(folder: string, systemId: string): Promise<number> {
  const copied = (await copiesIn(folder, systemId)).copies.map(({ facts }) => facts.timeline)
  const logged = (await piecesIn(folder, systemId)).at(-1)?.timeline ?? 0
  return Math.max(logged, ...copied, ...(await timelinesWithEnd(folder, systemId)))
}

function faultLabel({ name }: Copy, log: Replayable, fault: string, until: Date | undefined): string {
  const { reachesTo, wholeTo, pieces } = log
  return [
    fault,
    wholeTo
      ? `Up to ${wholeTo.toISOString()} all is whole (${name} and ${countOf(pieces.length)} of the log behind it); what ` +
        'was changed after that cannot be restored.'
      : `${name} is whole by itself; what was changed while it ended, and after, cannot be restored.`,
    until ? `${until.toISOString()} lies behind that.` : '',
    `Restore what is whole with --until ${reachesTo.toISOString()}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function chooseSystem(folder: string, systems: readonly string[], wanted: string | undefined): string {
  if (wanted !== undefined && !systems.includes(wanted)) {
    throw new BackupRefused(`There is no backup of the database ${wanted} in ${folder}.`)
  }
  const [system] = wanted === undefined ? systems : [wanted]
  if (system === undefined) throw new BackupRefused(`There is no backup in ${folder}.`)
  if (wanted === undefined && systems.length > 1) {
    throw new BackupRefused(
      `${folder} holds backups of ${systems.length} databases: name one by --system (${systems.join(', ')}).`,
    )
  }
  return system
}
