import { type NumberedField, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { JOINED_FIELDS, type JoinedFields, statusPart, targetName } from '#domain/catalogue/statusParts.ts'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { Reading, Tile, TileGroup } from './tiles.ts'

export interface Measured {
  readonly tile: Tile
  readonly target?: Tile
  /** The other fans of the same display, which share its tile. */
  readonly others?: readonly Measured[]
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
  /** Displays stand side by side in one table. */
  readonly isDisplay: boolean
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
    isDisplay: known.some(({ numbered }) => numbered?.type.topic === 'display'),
    measured: withJoinedFans(measured.filter(({ tile }) => !targets.has(tile))),
    set: linesOf(of('set')),
    told: linesOf(of('told')),
  }
}

const isFan = ({ tile }: Measured) => {
  const numbered = numberedFieldById(tile.fieldId)
  return numbered?.type.topic === 'display' && numbered.field.icon === 'fan'
}

/** Four tiles that nearly always say the same are one. */
function withJoinedFans(measured: readonly Measured[]): readonly Measured[] {
  const [first, ...others] = measured.filter(isFan)
  if (!first || others.length === 0) return measured
  return measured.flatMap((one) => (one === first ? [{ ...first, others }] : isFan(one) ? [] : [one]))
}

/** The heading of its component says the number already that a name begins with. */
export function nameWithin({ fieldId, name }: Tile): string {
  const numbered = numberedFieldById(fieldId)
  return numbered && name === numbered.name ? numbered.field.label : name
}

/** Fields that are read together stand where the first of them would. */
function linesOf(known: readonly Known[]): readonly Line[] {
  return known.flatMap(({ tile, numbered }): Line[] => {
    const joined = JOINED_FIELDS.find(({ names }) => numbered && names.includes(numbered.field.name))
    if (!joined) return [{ label: nameWithin(tile), tiles: [tile], joint: '·' }]
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
