import { BackupRefused } from './backupRefused.ts'
import { type Copy, chainFrom, copiesIn, type Piece, piecesIn, systemsIn } from './copyNames.ts'
import { logPositionOf } from './logPosition.ts'

export interface Choice {
  readonly copy: Copy
  /** What is played on top of it, in order. */
  readonly pieces: readonly Piece[]
  /** The last moment that comes back with them. */
  readonly reachesTo: Date
}

export interface Choosing {
  readonly folder: string
  /** Which cluster, where the folder holds several. */
  readonly systemId?: string
  /** Which copy, by its name. */
  readonly name?: string
  /** The moment that is wanted back; the newest without it. */
  readonly until?: Date
}

/**
 * The newest copy before the moment that is wanted, and the log from there on.
 *
 * @throws BackupRefused when nothing reaches there
 */
export async function chooseCopy({ folder, systemId, name, until }: Choosing): Promise<Choice> {
  const system = chooseSystem(folder, await systemsIn(folder), systemId)
  const { copies, unreadable } = await copiesIn(folder, system)
  const named = copies.filter((copy) => name === undefined || copy.name === name)
  if (named.length === 0) {
    const [why] = unreadable.filter((each) => name === undefined || each.startsWith(name))
    throw new BackupRefused(why ?? (name ? `There is no copy ${name} in ${folder}.` : `There is no copy in ${folder}.`))
  }
  const early = named.filter(({ facts }) => !until || new Date(facts.endedAt) <= until)
  const copy = early.at(-1)
  if (!copy) {
    const [first] = named
    throw new BackupRefused(`The oldest copy is of ${first?.facts.endedAt}: nothing earlier can be restored.`)
  }
  const chain = chainFrom(await piecesIn(folder, system), copy.facts.timeline, logPositionOf(copy.facts.endPosition))
  return { copy, ...upTo(copy, chain, until) }
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

/** No more of the log than it needs. */
function upTo(copy: Copy, chain: readonly Piece[], until: Date | undefined): Omit<Choice, 'copy'> {
  const end = chain.at(-1)?.reachesTo ?? new Date(copy.facts.endedAt)
  if (!until) return { pieces: chain, reachesTo: end }
  if (until > end) {
    throw new BackupRefused(
      `The backup reaches to ${end.toISOString()}, not to ${until.toISOString()}: without --until all of it is restored.`,
    )
  }
  const needed = chain.findIndex(({ reachesTo }) => reachesTo >= until)
  // One more than that: what was committed at that very moment may have been sent a little later.
  return { pieces: needed === -1 ? [] : chain.slice(0, needed + 2), reachesTo: until }
}
