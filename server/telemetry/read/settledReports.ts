import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import type { Settled, SettledDay } from '../settled/settledDays.ts'
import { numberText, valueAt } from '../settled/settledValues.ts'
import type { RawRowKey, StoredReport } from './rawPage.ts'

/** Yields stored reports of settled days like the rows of a page: newest first, the highest component first. */
export async function* settledReports(
  settled: Settled,
  layout: EventLayout,
  after?: RawRowKey | undefined,
): AsyncGenerator<StoredReport> {
  for await (const days of dayByDay(settled)) {
    const components = days.map((day) => componentOf(layout, day))
    for (let newest = newestOf(components); newest !== undefined; newest = newestOf(components)) {
      const key = keyOf(newest)
      const row = newest.row--
      if (after === undefined || order(key, after) > 0) yield { key, json: newest.write(row) }
    }
  }
}

interface Component {
  readonly day: SettledDay
  readonly write: (row: number) => string
  /** The newest row that is still to come. */
  row: number
}

const componentOf = (layout: EventLayout, day: SettledDay): Component => ({
  day,
  write: reportWriter(layout, day),
  row: day.end - 1,
})

const keyOf = ({ day, row }: Component): RawRowKey => ({
  atMicroseconds: day.columns.at[row] as number,
  number: day.span.number,
})

function newestOf(components: readonly Component[]): Component | undefined {
  let newest: Component | undefined
  for (const component of components) {
    if (component.row < component.day.begin) continue
    if (newest === undefined || order(keyOf(component), keyOf(newest)) < 0) newest = component
  }
  return newest
}

const order = (a: RawRowKey, b: RawRowKey) => b.atMicroseconds - a.atMicroseconds || b.number - a.number

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
      if (value !== undefined) json += begin + (typeof value === 'string' ? JSON.stringify(value) : numberText(value))
    }
    return `${json}}`
  }
}

const momentText = (microseconds: number | undefined) => new Date(Math.floor((microseconds ?? 0) / 1000)).toISOString()
