import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { FieldReading, HourlyMeans, TileSources } from './tiles.ts'

/** Without the last hour: what was reported in it after the moment was not known then. */
export function beforeHour(means: HourlyMeans): HourlyMeans {
  return new Map([...means].map(([fieldId, hours]) => [fieldId, [...hours.slice(0, -1), null]]))
}

/** Where no reading is kept any more: means of the hour of the moment, under the time at which that hour began. */
export function atHour(means: HourlyMeans, at: Date): Pick<TileSources, 'readings' | 'means'> {
  const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
  const readings = [...means].flatMap(([fieldId, hours]): FieldReading[] => {
    const numbered = numberedFieldById(fieldId)
    const mean = hours.at(-1)
    return numbered === undefined || mean === undefined || mean === null ? [] : [{ numbered, value: mean, at: hour }]
  })
  return { readings, means }
}
