import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import type { Settled, SettledDay } from '../settled/settledDays.ts'
import { valueAt } from '../settled/settledValues.ts'
import type { RawRowKey, StoredReport } from './rawPage.ts'

interface Place {
  readonly of: number
  readonly row: number
  readonly key: RawRowKey
}

/** Yields stored reports of settled days like the rows of a page: newest first, the highest component first. */
export async function* settledReports(
  settled: Settled,
  layout: EventLayout,
  after?: RawRowKey | undefined,
): AsyncGenerator<StoredReport> {
  for await (const components of dayByDay(settled)) {
    const places = components.flatMap(placesOf).filter(({ key }) => after === undefined || isBehind(key, after))
    const writers = components.map((component) => reportWriter(layout, component))
    for (const { of, row, key } of places.sort((a, b) => order(a.key, b.key)))
      yield { key, json: writers[of]?.(row) ?? '' }
  }
}

const order = (a: RawRowKey, b: RawRowKey) => b.atMicroseconds - a.atMicroseconds || b.number - a.number
const isBehind = (key: RawRowKey, after: RawRowKey) => order(key, after) > 0

const WHOLE = { withArrivals: true, withClaims: true, withExtra: true }

/** Gathers all components of a day. */
async function* dayByDay(settled: Settled): AsyncGenerator<readonly SettledDay[]> {
  let [gathered, dayMs]: [SettledDay[], number] = [[], Number.NaN]
  for await (const day of settled.days(WHOLE, 'newestFirst')) {
    if (day.dayMs !== dayMs && gathered.length > 0) {
      yield gathered
      gathered = []
    }
    dayMs = day.dayMs
    gathered.push(day)
  }
  if (gathered.length > 0) yield gathered
}

function placesOf({ span, columns, begin, end }: SettledDay, of: number): Place[] {
  return Array.from({ length: end - begin }, (_, index) => {
    const row = begin + index
    return { of, row, key: { atMicroseconds: columns.at[row] as number, number: span.number } }
  })
}

function reportWriter({ type, fields }: EventLayout, { span, columns }: SettledDay): (row: number) => string {
  const { at, inserted, claimedAt, extra } = columns
  const held = fields.flatMap(({ name }) => {
    const cells = columns.fields.get(name)
    return cells === undefined ? [] : [{ begin: `,"${type.prefixes[0]}${name}":`, cells }]
  })
  return (row) => {
    let json = `{"device_dt":"${momentText(at[row])}","inserted":"${momentText(inserted[row])}","number":${span.number}`
    const claimed = claimedAt?.[row]
    if (typeof claimed === 'number') json += `,"claimed_at":"${momentText(claimed)}"`
    if (extra?.[row]) json += `,"extra":${extra[row]}`
    for (const { begin, cells } of held) {
      const value = valueAt(cells, row)
      if (value !== undefined) json += begin + (typeof value === 'string' ? JSON.stringify(value) : value)
    }
    return `${json}}`
  }
}

const momentText = (microseconds: number | undefined) => new Date(Math.floor((microseconds ?? 0) / 1000)).toISOString()
