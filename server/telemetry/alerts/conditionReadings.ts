import type { ConditionKind } from '#domain/alerts/conditionKinds.ts'
import type { FoldedCondition } from '#domain/alerts/fold/alertFold.ts'
import {
  type JudgeMemory,
  judge,
  NO_MEMORY,
  neededBeforeMs,
  remember,
  type Sample,
} from '#domain/alerts/fold/conditionJudge.ts'
import { type ConflictSpan, isWithinAny } from '#domain/devices/identityConflict.ts'
import type { DeviceId } from '#domain/ids.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { EVENT_LAYOUTS } from '#server/telemetry/ingress/eventLayout.ts'
import { readSpan } from '../read/fieldReadings.ts'
import { findSettled, spansOfType } from '../settled/settledDays.ts'
import { believedRows } from '../settled/settledValues.ts'
import type { FieldPlace } from './alertRules.ts'

export interface WatchedRule extends FoldedCondition {
  readonly kind: ConditionKind
  readonly fields: readonly FieldPlace[]
  /** How long a condition of kind "no value" waits. */
  readonly waitMs: number
  /** Whether it is one component's part of a condition for several. That component may not exist. */
  readonly isPart: boolean
}

export interface ReadingsDeps {
  readonly deviceId: DeviceId
  readonly rule: WatchedRule
  /** Readings that arrived earlier are left out. */
  readonly countsFrom: Date
}

type Value = number | string

/** A moment before every reading that PostgreSQL can still represent. */
export const LONG_AGO = new Date(-8_000_000_000_000)
/** A moment as late as any that a device can claim. */
const FOR_EVER = new Date(8_000_000_000_000)
/** In milliseconds. */
const A_MICROSECOND = 0.001

interface ReadingRow {
  readonly device_dt: Date
  readonly value: Value
}

type Wanted =
  | { readonly comparison: '<'; readonly at: Date; readonly most: number }
  | { readonly comparison: '>'; readonly at: Date }

/** @returns readings after a moment, oldest first, or the newest before it, newest first */
async function readField(
  queryable: Queryable,
  { deviceId, countsFrom }: ReadingsDeps,
  { layout, fieldIndex, number }: FieldPlace,
  wanted: Wanted,
): Promise<ReadingRow[]> {
  const isAfter = wanted.comparison === '>'
  const span = {
    ...{ deviceId, eventTypeId: layout.type.id, number },
    ...{ fromMs: isAfter ? +wanted.at + A_MICROSECOND : +LONG_AGO, toMs: isAfter ? +FOR_EVER : +wanted.at },
  }
  const question = {
    ...{ span, name: layout.fields[fieldIndex]?.name ?? '' },
    ...(countsFrom > LONG_AGO ? { arrivedFrom: countsFrom } : {}),
  }
  const { timesMs, values } = await readSpan(queryable, question, isAfter ? undefined : wanted.most)
  const rows = timesMs.map((atMs, index) => ({ device_dt: new Date(atMs), value: values[index] as Value }))
  return isAfter ? rows : rows.reverse()
}

/** Reads stored readings after a device time, oldest first, without those whose clock was not believed. */
export async function samplesAfter(queryable: Queryable, deps: ReadingsDeps, at: Date): Promise<Sample[]> {
  const sides: (readonly ReadingRow[])[] = []
  for (const field of deps.rule.fields) sides.push(await readField(queryable, deps, field, { comparison: '>', at }))
  if (deps.rule.kind !== 'absent') return merged(sides)
  return withMissing(queryable, deps, sides[0] ?? [], at)
}

function merged(sides: readonly (readonly ReadingRow[])[]): Sample[] {
  const [first = [], second = []] = sides
  if (second.length === 0)
    return first.map(({ device_dt, value }) => ({ atMs: +device_dt, values: [value, undefined] }))
  const byTime = new Map<number, [Value | undefined, Value | undefined]>()
  for (const { device_dt, value } of first) byTime.set(+device_dt, [value, undefined])
  for (const { device_dt, value } of second) byTime.set(+device_dt, [byTime.get(+device_dt)?.[0], value])
  return [...byTime].map(([atMs, values]) => ({ atMs, values })).sort((a, b) => a.atMs - b.atMs)
}

/**
 * Reads the newest samples before a moment, oldest first.
 *
 * @param most readings of each field
 * @returns samples only as far back as all fields were read, and whether there is nothing earlier
 */
async function samplesBefore(queryable: Queryable, deps: ReadingsDeps, at: Date, most: number) {
  const sides: (readonly ReadingRow[])[] = []
  for (const field of deps.rule.fields) {
    sides.push(await readField(queryable, deps, field, { comparison: '<', at, most }))
  }
  const cut = sides.filter((rows) => rows.length === most).map((rows) => rows.at(-1)?.device_dt ?? at)
  const fromMs = Math.max(Number.NEGATIVE_INFINITY, ...cut.map(Number))
  const samples = merged(sides.map((rows) => rows.toReversed())).filter(({ atMs }) => atMs >= fromMs)
  return { samples, isWhole: cut.length === 0 }
}

const LOOK_BACK_ROWS = 5000

export interface CleanStart {
  readonly at: Date
  readonly memory: JudgeMemory
}

/**
 * Finds the newest moment before a period at which the condition was surely not met, whatever came earlier, so that a
 * fold may begin there. Undefined when there is none, and the fold begins before every reading.
 */
export async function cleanStart(
  queryable: Queryable,
  deps: ReadingsDeps,
  from: Date,
  contested: readonly ConflictSpan[],
): Promise<CleanStart | undefined> {
  const { judged } = deps.rule
  let most = LOOK_BACK_ROWS
  for (let before = from; ; ) {
    const { samples, isWhole } = await samplesBefore(queryable, deps, before, most)
    const found = lastClean(deps.rule, samples, { isWhole, contested })
    const oldest = samples[0]
    if (found || isWhole) return found
    // A condition that looks back needs readings from before the page, so its pages must overlap and grow instead.
    if (neededBeforeMs(judged) > 0) most *= 4
    else if (oldest) before = new Date(oldest.atMs)
  }
}

function lastClean(
  { judged }: WatchedRule,
  samples: readonly Sample[],
  { isWhole, contested }: { readonly isWhole: boolean; readonly contested: readonly ConflictSpan[] },
): CleanStart | undefined {
  const neededMs = neededBeforeMs(judged)
  const coveredFromMs = isWhole ? Number.NEGATIVE_INFINITY : (samples[0]?.atMs ?? 0) + neededMs
  let memory = NO_MEMORY
  let clean: CleanStart | undefined
  for (const sample of samples) {
    const { isTrue, isSurelyFalse } = judge(judged, memory, false, sample)
    memory = remember(judged, memory, sample)
    const isClean = isSurelyFalse || (judged.kind === 'change' && isTrue === false)
    if (isClean && sample.atMs >= coveredFromMs && !isWithinAny(contested, sample.atMs))
      clean = { at: new Date(sample.atMs), memory }
  }
  return clean
}

const TABLES = EVENT_LAYOUTS.map(
  ({ table, type }) => `exists (select from ${table} where device_id = $1
    and number = any('{${type.prefixes.map((_, index) => index + 1).join(',')}}') and device_dt >= $2 and device_dt < $3
    and inserted >= $4 and ${isBelieved()})`,
)

/** Whether the device reported anything in a period. */
async function hasReported(
  queryable: Queryable,
  { deviceId, countsFrom }: ReadingsDeps,
  from: Date,
  until: Date,
): Promise<boolean> {
  const settled = await findSettled(
    queryable,
    EVENT_LAYOUTS.flatMap((layout) => spansOfType(layout, deviceId, { from, to: until })),
  )
  const openFrom = new Date(Math.max(+from, settled.openFromMs))
  const { rows } = await queryable.query<{ reported: boolean }>(`select ${TABLES.join(' or ')} as reported`, [
    ...[deviceId, openFrom, until, countsFrom],
  ])
  if (rows[0]?.reported) return true
  for await (const day of settled.days({ fields: [], withClaims: true, withArrivals: true })) {
    for (const row of believedRows(day, 'oldestFirst'))
      if ((day.columns.inserted[row] as number) >= +countsFrom * 1000) return true
  }
  return false
}

async function valuesAfter(queryable: Queryable, deps: ReadingsDeps, at: Date): Promise<readonly ReadingRow[]> {
  const [field] = deps.rule.fields
  return field ? readField(queryable, deps, field, { comparison: '>', at }) : []
}

/** Whether a value arrived before the readings that count. */
async function wasReported(queryable: Queryable, { rule, deviceId, countsFrom }: ReadingsDeps): Promise<boolean> {
  const [field] = rule.fields
  if (field === undefined) return false
  const { layout, number, fieldIndex } = field
  const span = { deviceId, eventTypeId: layout.type.id, number, fromMs: +LONG_AGO, toMs: +FOR_EVER }
  const settled = await findSettled(queryable, [span])
  const { rows } = await queryable.query<{ reported: boolean }>(
    `select exists (select from ${layout.table} where device_id = $1 and number = $2 and inserted < $3
       and ${layout.columns[fieldIndex]} is not null) as reported`,
    [deviceId, number, countsFrom],
  )
  if (rows[0]?.reported) return true
  const name = layout.fields[fieldIndex]?.name ?? ''
  for await (const { columns } of settled.days({ fields: [name], withArrivals: true })) {
    const cells = columns.fields.get(name)
    if (cells && columns.inserted.some((at, row) => at < +countsFrom * 1000 && (cells[row] ?? null) !== null))
      return true
  }
  return false
}

/**
 * Reads the values of a field, and between them each moment at which one had been missing too long while the device
 * went on reporting. A device that reports nothing at all misses no value, because "no value" is judged by its own
 * reports.
 *
 * @param at the time of the value before them; the waiting begins at the condition's own start where that is later
 */
async function withMissing(
  queryable: Queryable,
  deps: ReadingsDeps,
  rows: readonly ReadingRow[],
  at: Date,
): Promise<Sample[]> {
  const { rule, countsFrom } = deps
  const samples: Sample[] = []
  const isThere = !rule.isPart || at > LONG_AGO || (await wasReported(queryable, deps))
  let lastMs = isThere ? Math.max(+at, +countsFrom) : Number.POSITIVE_INFINITY
  for (const row of [...rows, undefined]) {
    const nextMs = row ? +row.device_dt : undefined
    const missedMs = lastMs + rule.waitMs
    if (missedMs < (nextMs ?? Number.POSITIVE_INFINITY)) {
      const until = nextMs === undefined ? FOR_EVER : new Date(nextMs)
      if (await hasReported(queryable, deps, new Date(missedMs), until)) {
        const newer = row ? [] : await valuesAfter(queryable, deps, rows.at(-1)?.device_dt ?? at)
        // Another process has stored these values, and perhaps that report, since the values were read.
        if (newer.length > 0) return withMissing(queryable, deps, [...rows, ...newer], at)
        samples.push({ atMs: missedMs, values: [undefined, undefined] })
      }
    }
    if (row && nextMs !== undefined) {
      samples.push({ atMs: nextMs, values: [row.value, undefined] })
      lastMs = Number.isFinite(lastMs) ? Math.max(nextMs, lastMs) : nextMs
    }
  }
  return samples
}
