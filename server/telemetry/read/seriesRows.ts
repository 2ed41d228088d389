import type { DeviceId } from '#domain/ids.ts'
import { numberOf } from './SeriesTable.ts'
import { readSeries } from './series.ts'

type NumbersOrGaps = readonly (number | null)[]

interface Row {
  readonly atMs: number
  readonly deviceId: DeviceId
  readonly means: NumbersOrGaps
  readonly minima: NumbersOrGaps | undefined
  readonly maxima: NumbersOrGaps | undefined
}

/** Reads a series as rows of numbers by index of the requested fields, null for a gap. */
export async function readSeriesRows(...asked: Parameters<typeof readSeries>): Promise<Row[]> {
  const [, { withRange }] = asked
  const rows: Row[] = []
  const { parts } = readSeries(...asked)
  for await (const part of parts) {
    for (const { atMs, devices } of part.buckets()) {
      for (const { deviceId, numbers: texts } of devices) {
        const numbers = texts.map((text) => numberOf(text) ?? null)
        const every = (first: number) => numbers.filter((_, index) => index % 3 === first)
        rows.push({
          ...{ atMs, deviceId, means: withRange ? every(0) : numbers },
          ...{ minima: withRange ? every(1) : undefined, maxima: withRange ? every(2) : undefined },
        })
      }
    }
  }
  return rows
}
