import type { ReadingLimit } from '#contract/http/devices/status.ts'
import { isBeyond, type Limit } from '#domain/alerts/limits.ts'
import type { FieldId } from '#domain/ids.ts'
import type { Tile } from './tiles.ts'

export interface TileLimit extends Limit {
  readonly text: string
  readonly severityId: number
}
export type LimitsByField = ReadonlyMap<FieldId, readonly TileLimit[]>

export function limitsByField(limits: readonly ReadingLimit[] | undefined): LimitsByField {
  const fields = Map.groupBy(limits ?? [], ({ field_id }) => field_id)
  return new Map(
    [...fields].map(([fieldId, found]) => [
      fieldId,
      found.map(({ operatorCode: operator, value, conditionText: text, severityId }) => ({
        ...{ operator, value, text, severityId },
      })),
    ]),
  )
}

export const limitLabel = (limits: readonly TileLimit[] = []): string =>
  limits.map(({ text }) => `Alert: ${text}`).join('\n')

/** It returns the worst severity of the limits that a reading is beyond. */
export function severityBeyond({ reading }: Tile, limits: readonly TileLimit[] = []): number | undefined {
  const value = reading?.value
  if (typeof value !== 'number') return undefined
  return worstSeverity(limits.map((limit) => (isBeyond(value, [limit]) ? limit.severityId : undefined)))
}

export const severityOf = (tile: Tile, limits?: readonly TileLimit[]): number | undefined =>
  worstSeverity([tile.severityId, severityBeyond(tile, limits)])

export function worstSeverity(severityIds: readonly (number | undefined)[]): number | undefined {
  const known = severityIds.filter((id) => id !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
