import { type NumberedField, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { JOINED_FIELDS, type JoinedFields, statusPart, targetName } from '#domain/catalogue/statusParts.ts'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { Reading, Tile, TileGroup } from './tiles.ts'

/** One field, or a fan with what it is to reach. */
export interface Measured {
  readonly tile: Tile
  readonly target?: Tile
}

/** A line of a list: one field, or some that are read together. */
export interface Line {
  readonly label: string
  readonly tiles: readonly [Tile, ...Tile[]]
  readonly joint: JoinedFields['joint']
}

/** A component as the status shows it; every tile of it stands in exactly one of the three. */
export interface StatusGroup extends TileGroup {
  /** Of its newest reading. */
  readonly readAt: Date | undefined
  readonly measured: readonly Measured[]
  readonly set: readonly Line[]
  readonly told: readonly Line[]
}

interface Known {
  readonly tile: Tile
  /** Absent for a field that this console does not know. */
  readonly numbered: NumberedField | undefined
}

export function statusGroup(group: TileGroup): StatusGroup {
  const known = group.tiles.map((tile): Known => ({ tile, numbered: numberedFieldById(tile.fieldId) }))
  const named = new Map(known.map(({ tile, numbered }) => [numbered?.field.name, tile]))
  const of = (part: 'measured' | 'set' | 'told') =>
    known.filter(({ numbered }) => (numbered ? statusPart(numbered) : 'told') === part)
  const measured = of('measured').map(({ tile, numbered }): Measured => {
    const target = numbered && named.get(targetName(numbered.field.name))
    return target ? { tile, target } : { tile }
  })
  const targets = new Set(measured.map(({ target }) => target))
  return {
    ...group,
    readAt: newestOf(group.tiles),
    measured: measured.filter(({ tile }) => !targets.has(tile)),
    set: linesOf(of('set')),
    told: linesOf(of('told')),
  }
}

/** What is read together stands where its first field would. */
function linesOf(known: readonly Known[]): readonly Line[] {
  return known.flatMap(({ tile, numbered }): Line[] => {
    const joined = JOINED_FIELDS.find(({ names }) => numbered && names.includes(numbered.field.name))
    if (!joined) return [{ label: tile.name, tiles: [tile], joint: '·' }]
    const [first, ...others] = known.filter(({ numbered: other }) => other && joined.names.includes(other.field.name))
    if (first?.tile !== tile) return []
    return [{ label: joined.label, tiles: [tile, ...others.map((one) => one.tile)], joint: joined.joint }]
  })
}

function newestOf(tiles: readonly Tile[]): Date | undefined {
  return tiles.reduce<Date | undefined>(
    (newest, { reading }) => (reading && (!newest || reading.at > newest) ? reading.at : newest),
    undefined,
  )
}

/** Older than what its component says besides, so that its age is worth a word of its own. */
export const isBehind = (reading: Reading | undefined, readAt: Date | undefined): boolean =>
  reading !== undefined && readAt !== undefined && readAt.getTime() - reading.at.getTime() > OFFLINE_AFTER_MS
