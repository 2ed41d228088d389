import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'

/**
 * What unplanned darkness is put down to (rules/statements 7). `ours` is darkness that was asked for from here, and
 * `unexplained` what no evidence explains.
 */
export const DARK_CAUSES = ['ours', 'power', 'network', 'computer', 'display', 'unexplained'] as const
export type DarkCause = (typeof DARK_CAUSES)[number]

/** Whole minutes of each cause, which add up to the unplanned minutes of the day. */
export type CauseMinutes = Readonly<Record<DarkCause, number>>

export const NO_CAUSES: CauseMinutes = ofEach(() => 0)

/** The times for which something speaks for a cause. Of several that cover a second, the first in the list decides. */
export interface CauseEvidence {
  readonly cause: Exclude<DarkCause, 'unexplained'>
  readonly spans: readonly Span[]
}

/** A reading in device time, oldest first. */
export interface TimedReading<Value> {
  readonly atMs: number
  readonly value: Value
}

/** Finds when a value held that speaks for something. A reading holds until the next one, and no longer than `holdsMs`. */
export function spansWhere<Value>(
  readings: readonly TimedReading<Value>[],
  isSo: (value: Value) => boolean,
  holdsMs: number,
): readonly Span[] {
  const spans: { fromMs: number; toMs: number }[] = []
  for (const [index, { atMs, value }] of readings.entries()) {
    if (!isSo(value)) continue
    const toMs = Math.min(readings[index + 1]?.atMs ?? Number.POSITIVE_INFINITY, atMs + holdsMs)
    const last = spans.at(-1)
    if (last?.toMs === atMs) last.toMs = toMs
    else if (toMs > atMs) spans.push({ fromMs: atMs, toMs })
  }
  return spans
}

/** Divides seconds among lists of spans: each goes to the first that covers it. The last number is what none covers. */
function dividedSeconds(of: readonly Span[], lists: readonly (readonly Span[])[]): readonly number[] {
  let left = of.map(inSeconds)
  const divided = lists.map((spans) => {
    let covered = 0
    for (const span of spans.map(inSeconds)) {
      left = left.flatMap((one) => {
        const [from, to] = [Math.max(one.from, span.from), Math.min(one.to, span.to)]
        if (from >= to) return [one]
        covered += to - from
        const rest = [
          { from: one.from, to: from },
          { from: to, to: one.to },
        ]
        return rest.filter((part) => part.from < part.to)
      })
    }
    return covered
  })
  return [...divided, left.reduce((sum, { from, to }) => sum + to - from, 0)]
}

/** Rounds to whole minutes that add up to the day's: the parts that lost most to rounding get a minute. */
function wholeParts(seconds: readonly number[], minutes: number): readonly number[] {
  const whole = seconds.map((one) => Math.floor(one / 60))
  const left = minutes - whole.reduce((sum, one) => sum + one, 0)
  const byCut = [...seconds.keys()]
    .filter((index) => (seconds[index] as number) > 0)
    .sort((a, b) => ((seconds[b] as number) % 60) - ((seconds[a] as number) % 60))
  const more = new Set(byCut.slice(0, Math.max(0, left)))
  return whole.map((one, index) => one + (more.has(index) ? 1 : 0))
}

/** Divides dark seconds among the causes. Seconds that no evidence covers are unexplained. */
export function causeSeconds(
  dark: readonly Span[],
  evidence: readonly CauseEvidence[],
): Readonly<Record<DarkCause, number>> {
  const seconds: Record<DarkCause, number> = { ...NO_CAUSES }
  const divided = dividedSeconds(
    dark,
    evidence.map(({ spans }) => spans),
  )
  for (const [index, { cause }] of evidence.entries()) seconds[cause] += divided[index] as number
  return { ...seconds, unexplained: divided.at(-1) as number }
}

/** Counts the whole minutes of unknown light in which nobody could have known, because the installation was away. */
export const awayMinutes = (unknown: readonly Span[], away: readonly Span[]): number =>
  Math.floor((dividedSeconds(unknown, [away])[0] as number) / 60)

/** Rounds to whole minutes that add up to the unplanned minutes of the day. */
export function wholeCauses(seconds: Readonly<Record<DarkCause, number>>, minutes: number): CauseMinutes {
  const whole = wholeParts(
    DARK_CAUSES.map((cause) => seconds[cause]),
    minutes,
  )
  return Object.fromEntries(DARK_CAUSES.map((cause, index) => [cause, whole[index]])) as unknown as CauseMinutes
}

/** What plans darkness, in the order in which it is looked at and stored (rules/statements 7). */
export const PLANNED_BY = ['emergency', 'offTimes', 'dayPlan'] as const
export type PlannedBy = (typeof PLANNED_BY)[number]

/** Divides the planned darkness of a day among the plans that covered it, in minutes that add up to the day's. */
export const plannedParts = (
  planned: readonly Span[],
  plans: Readonly<Record<PlannedBy, readonly Span[]>>,
  minutes: number,
): readonly number[] =>
  wholeParts(
    dividedSeconds(
      planned,
      PLANNED_BY.map((plan) => plans[plan]),
    ).slice(0, PLANNED_BY.length),
    minutes,
  )

interface Seconds {
  readonly from: number
  readonly to: number
}
const inSeconds = ({ fromMs, toMs }: Span): Seconds => ({
  from: Math.floor(fromMs / 1000),
  to: Math.floor(toMs / 1000),
})

function ofEach(minutesOf: (cause: DarkCause) => number): CauseMinutes {
  return Object.fromEntries(DARK_CAUSES.map((cause) => [cause, minutesOf(cause)])) as unknown as CauseMinutes
}
