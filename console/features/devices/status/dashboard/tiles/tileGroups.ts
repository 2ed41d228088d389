import { type NumberedField, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { JOINED_FIELDS, type JoinedFields, statusPart, targetName } from '#domain/catalogue/statusParts.ts'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { Reading, Tile, TileGroup } from './tiles.ts'

export interface Measured {
  readonly tile: Tile
  readonly target?: Tile
}

export interface Line {
  readonly label: string
  readonly tiles: readonly [Tile, ...Tile[]]
  readonly joint: JoinedFields['joint']
}

/** The status shows a component in three parts; every tile of it stands in exactly one of them. */
export interface StatusGroup extends TileGroup {
  readonly readAt: Date | undefined
  readonly measured: readonly Measured[]
  readonly set: readonly Line[]
  readonly told: readonly Line[]
}

interface Known {
  readonly tile: Tile
  /** It is absent for a field that this console does not know. */
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

/** Fields that are read together stand where the first of them would. */
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

/** A reading that is older than the rest of its component shows its own age. */
export const isBehind = (reading: Reading | undefined, readAt: Date | undefined): boolean =>
  reading !== undefined && readAt !== undefined && readAt.getTime() - reading.at.getTime() > OFFLINE_AFTER_MS
