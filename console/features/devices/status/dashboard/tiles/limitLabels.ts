import type { ReadingLimit } from '#contract/http/devices/status.ts'
import { isBeyond, type Limit } from '#domain/alerts/limits.ts'
import type { FieldId } from '#domain/ids.ts'
import type { Tile } from './tiles.ts'

export interface TileLimit extends Limit {
  readonly text: string
}
export type LimitsByField = ReadonlyMap<FieldId, readonly TileLimit[]>

export function limitsByField(limits: readonly ReadingLimit[] | undefined): LimitsByField {
  const fields = Map.groupBy(limits ?? [], ({ field_id }) => field_id)
  return new Map(
    [...fields].map(([fieldId, found]) => [
      fieldId,
      found.map(({ operatorCode, value, conditionText }) => ({ operator: operatorCode, value, text: conditionText })),
    ]),
  )
}

export const limitLabel = (limits: readonly TileLimit[] = []): string =>
  limits.map(({ text }) => `Alert: ${text}`).join('\n')

export const isBeyondLimits = ({ reading }: Tile, limits: readonly TileLimit[] = []): boolean =>
  typeof reading?.value === 'number' && isBeyond(reading.value, limits)
