import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { FieldReading, HourlyMeans, TileSources } from './tiles.ts'

/** Drops the last hour, because its mean contains readings from after the moment. */
export function beforeHour(means: HourlyMeans): HourlyMeans {
  return new Map([...means].map(([fieldId, hours]) => [fieldId, [...hours.slice(0, -1), null]]))
}

/** Answers with the means of the moment's hour, dated at its beginning, when no readings are kept any more. */
export function atHour(means: HourlyMeans, at: Date): Pick<TileSources, 'readings' | 'means'> {
  const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
  const readings = [...means].flatMap(([fieldId, hours]): FieldReading[] => {
    const numbered = numberedFieldById(fieldId)
    const mean = hours.at(-1)
    return numbered === undefined || mean === undefined || mean === null ? [] : [{ numbered, value: mean, at: hour }]
  })
  return { readings, means }
}
