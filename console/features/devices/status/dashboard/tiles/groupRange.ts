import { type LimitsByField, severityOf } from './limitLabels.ts'
import { nameWithin, type StatusGroup } from './tileGroups.ts'
import { type ShownDevice, shownValueOf, type Tile } from './tiles.ts'

/** It returns the tiles of a component that are in alert or beyond a limit. */
export const outOfRange = (group: StatusGroup, limits: LimitsByField): readonly Tile[] =>
  group.tiles.filter((tile) => severityOf(tile, limits.get(tile.fieldId)) !== undefined)

const MOST_LINES = 3

/** It says in a few words what a folded component holds; nothing is said of what was never reported. */
export function foldedText(group: StatusGroup, out: readonly Tile[], { modelId }: Pick<ShownDevice, 'modelId'>) {
  const said = (tile: Tile) => {
    const { text, unit } = shownValueOf(tile, modelId)
    return `${nameWithin(tile)} ${unit ? `${text} ${unit}` : text}`
  }
  if (group.readAt === undefined) return ''
  if (out.length > 0) return out.map(said).join(', ')
  if (group.measured.length > 0) return 'all in range'
  return group.told
    .flatMap(({ tiles }) => tiles)
    .slice(0, MOST_LINES)
    .map(said)
    .join(', ')
}
