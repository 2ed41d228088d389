import type { z } from 'zod'
import { type getUnusualFields, MOST_UNUSUAL_FIELDS } from '#contract/http/devices/records.ts'
import {
  type Comparison,
  comparisonOf,
  isComparable,
  sameHoursBefore,
  UNUSUAL_FROM,
} from '#domain/analytics/unusual.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { HourlyMeans } from '#server/telemetry/read/hourlyMeans.ts'

/**
 * Orders fields by how unusual they were in some hours, the most unusual first.
 * @param begin the hour of the first mean
 */
export function unusualFields(
  means: ReadonlyMap<FieldId, HourlyMeans>,
  begin: number,
  hours: readonly number[],
  timeZone: string,
): z.input<(typeof getUnusualFields)['answer']> {
  const earlierHours = hours.map((hour) => sameHoursBefore(hour, timeZone))
  const found: { readonly fieldId: FieldId; readonly comparison: Comparison }[] = []
  let withoutHistory = 0
  for (const [fieldId, series] of means) {
    const field = numberedFieldById(fieldId)?.field
    if (!field || !isComparable(field)) continue
    const meanOf = (hour: number) => series[hour - begin] ?? undefined
    const compared = hours.flatMap((hour, index) => {
      const value = meanOf(hour)
      const earlier = (earlierHours[index] ?? []).flatMap((before) => meanOf(before) ?? [])
      return value === undefined ? [] : [{ hour, value, earlier }]
    })
    // Fields that were not reported in the window do not belong into this list.
    if (compared.length === 0) continue
    const comparison = comparisonOf(field, compared)
    if (comparison) found.push({ fieldId, comparison })
    else withoutHistory++
  }
  return {
    fields: found
      .filter(({ comparison }) => comparison.score >= UNUSUAL_FROM)
      .sort((a, b) => b.comparison.score - a.comparison.score)
      .slice(0, MOST_UNUSUAL_FIELDS)
      .map(({ fieldId, comparison: { hour, ...told } }) => ({
        fieldId,
        at: new Date(hour * HOUR_MS).toISOString(),
        ...told,
      })),
    compared: found.length,
    withoutHistory,
  }
}
