import { LIGHT_KINDS, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import type { MadeHistory } from './madeHistory.ts'

const [DARK, LIT] = [1, 2]
const HOLDS_SECONDS = 120
const QUARTER_SECONDS = 900
const [UNPLANNED, LIT_IN_OFF_TIME, UNKNOWN, PLANNED, MAINTENANCE, GIVEN] = (
  ['unplanned', 'litInOffTime', 'unknown', 'planned', 'maintenance', 'lit'] as const
).map((kind) => LIGHT_KINDS.indexOf(kind)) as [number, number, number, number, number, number]

/**
 * Finds the kind of each second of a year by painting every report onto it and looking at the clock on the wall, without
 * the spans, days and sums of the product.
 */
export function recount({ displays, offTimes, maintenance }: MadeHistory, { fromMs, toMs }: Span, timeZone: string) {
  const length = (toMs - fromMs) / 1000
  const secondOf = (ms: number) => Math.min(length, Math.max(0, (ms - fromMs) / 1000))
  const painted = displays.map((readings) => {
    const light = new Uint8Array(length)
    for (const [index, { atMs, percent }] of readings.entries()) {
      const end = Math.min(secondOf(readings[index + 1]?.atMs ?? toMs), secondOf(atMs) + HOLDS_SECONDS)
      if (atMs + HOLDS_SECONDS * 1000 > fromMs) {
        const held = Math.min(end, secondOf(atMs + HOLDS_SECONDS * 1000))
        light.fill(percent > 0 ? LIT : DARK, secondOf(atMs), held)
      }
    }
    return light
  })
  const maintained = new Uint8Array(length)
  for (const span of maintenance) maintained.fill(1, secondOf(span.fromMs), secondOf(span.toMs))
  const kinds = new Uint8Array(length)
  const byMonth = Array.from({ length: 12 }, () => LIGHT_KINDS.map(() => 0))
  const [first = new Uint8Array(length), second = first] = painted
  for (const quarter of wallQuarters(fromMs, length, timeZone)) {
    const isOff = isOffAt(quarter, offTimes)
    const wrong = isOff ? LIT : DARK
    const sums = byMonth[quarter.month] as number[]
    for (let at = quarter.begin; at < quarter.end; at++) {
      let kind = GIVEN
      if (maintained[at] === 1) kind = MAINTENANCE
      else if (first[at] === wrong || second[at] === wrong) kind = isOff ? LIT_IN_OFF_TIME : UNPLANNED
      else if (first[at] === 0 || second[at] === 0) kind = UNKNOWN
      else if (isOff) kind = PLANNED
      kinds[at] = kind
      sums[kind] = (sums[kind] as number) + 1
    }
  }
  return { kinds, byMonth }
}

interface Quarter {
  readonly begin: number
  readonly end: number
  readonly month: number
  readonly weekday: string
  readonly time: string
}

const known = new Map<string, readonly Quarter[]>()

/** Clocks change at quarters of an hour, so what the wall says is asked for once in each. */
function wallQuarters(fromMs: number, length: number, timeZone: string): readonly Quarter[] {
  const before = known.get(timeZone)
  if (before) return before
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'short', month: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  const quarters: Quarter[] = []
  for (let begin = 0; begin < length; begin += QUARTER_SECONDS) {
    const parts = clock.formatToParts(fromMs + begin * 1000)
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
    const end = Math.min(length, begin + QUARTER_SECONDS)
    quarters.push({
      ...{ begin, end, month: Number(part('month')) - 1, weekday: part('weekday') },
      time: `${part('hour')}:${part('minute')}`,
    })
  }
  known.set(timeZone, quarters)
  return quarters
}

const isWeekend = (weekday: string) => weekday === 'Sat' || weekday === 'Sun'
const THE_DAY_BEFORE: Readonly<Record<string, string>> = {
  ...{ Mon: 'Sun', Tue: 'Mon', Wed: 'Tue', Thu: 'Wed', Fri: 'Thu', Sat: 'Fri', Sun: 'Sat' },
}

/** A night belongs to the day on which it begins; here it ends on the next one at the latest. */
function isOffAt({ weekday, time }: Quarter, offTimes: MadeHistory['offTimes']): boolean {
  const nightOf = (day: string) =>
    isWeekend(day)
      ? { from: offTimes.wkndTimeOffFrom, to: offTimes.wkndTimeOffTo }
      : { from: offTimes.wdTimeOffFrom, to: offTimes.wdTimeOffTo }
  const [tonight, last] = [nightOf(weekday), nightOf(THE_DAY_BEFORE[weekday] ?? '')]
  return (tonight.from !== null && time >= tonight.from) || (last.to !== null && time < last.to)
}
