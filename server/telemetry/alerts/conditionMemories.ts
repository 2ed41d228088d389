import {
  type JudgedCondition,
  type JudgeMemory,
  type Known,
  NO_MEMORY,
  neededBeforeMs,
} from '#domain/alerts/conditionJudge.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { FieldPlace } from './alertRules.ts'
import type { WatchedRule } from './conditionReadings.ts'

interface Remembering {
  readonly deviceId: DeviceId
  readonly rule: WatchedRule
  readonly state: { readonly lastAtMs: number | undefined }
}

/** Readings after one device time up to another, that arrived at or after a third. */
interface Stretch {
  readonly afterMs: number
  readonly uptoMs: number
  readonly sinceMs: number
}

/** Moments as numbers: a process that takes over a fleet reads hundreds of thousands. */
interface RememberedRow {
  readonly device_id: DeviceId
  readonly at_ms: number
  readonly inserted_ms: number
  readonly value: number | string
}

/**
 * What has to be known of readings up to the newest that was looked at, for conditions that look back. Each field is read
 * once, for all conditions and devices: thousands look at the same few, when a process takes their devices over.
 */
export async function readMemories<Condition extends Remembering>(
  queryable: Queryable,
  conditions: readonly Condition[],
  countsFrom: (condition: Condition) => Date,
): Promise<ReadonlyMap<Condition, JudgeMemory>> {
  const stretches = new Map<Condition, Stretch>()
  const wanted = new Map<string, { readonly field: FieldPlace; readonly ofDevices: Map<DeviceId, Stretch> }>()
  for (const condition of conditions) {
    const { deviceId, rule, state } = condition
    if (state.lastAtMs === undefined) continue
    const stretch = {
      afterMs: state.lastAtMs - neededBeforeMs(rule.judged) - 1,
      uptoMs: state.lastAtMs,
      sinceMs: countsFrom(condition).getTime(),
    }
    stretches.set(condition, stretch)
    for (const field of rule.fields) {
      const key = keyOf(field)
      const { ofDevices } = wanted.get(key) ?? { ofDevices: new Map<DeviceId, Stretch>() }
      ofDevices.set(deviceId, joined(ofDevices.get(deviceId), stretch))
      wanted.set(key, { field, ofDevices })
    }
  }
  const read = new Map<string, ReadonlyMap<DeviceId, readonly RememberedRow[]>>()
  for (const [key, { field, ofDevices }] of wanted) read.set(key, await readField(queryable, field, ofDevices))
  const memories = new Map<Condition, JudgeMemory>()
  for (const [condition, stretch] of stretches) {
    const { judged, fields } = condition.rule
    const sides = fields.map((field) => read.get(keyOf(field))?.get(condition.deviceId) ?? [])
    memories.set(condition, memoryOf(judged, sides, stretch))
  }
  return memories
}

const keyOf = ({ layout, number, fieldIndex }: FieldPlace) => `${layout.table} ${number} ${fieldIndex}`

const joined = (known: Stretch | undefined, { afterMs, uptoMs, sinceMs }: Stretch): Stretch => ({
  afterMs: Math.min(known?.afterMs ?? afterMs, afterMs),
  uptoMs: Math.max(known?.uptoMs ?? uptoMs, uptoMs),
  sinceMs: Math.min(known?.sinceMs ?? sinceMs, sinceMs),
})

async function readField(
  queryable: Queryable,
  { layout, number, fieldIndex }: FieldPlace,
  ofDevices: ReadonlyMap<DeviceId, Stretch>,
): Promise<ReadonlyMap<DeviceId, readonly RememberedRow[]>> {
  const column = layout.columns[fieldIndex]
  const stretches = [...ofDevices.values()]
  const { rows } = await queryable.query<RememberedRow>(
    `select r.device_id, (extract(epoch from r.device_dt) * 1000)::float8 as at_ms,
       (extract(epoch from r.inserted) * 1000)::float8 as inserted_ms, r.${column} as value
     from unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[]) as wanted (id, after, upto, since)
     join ${layout.table} r on r.device_id = wanted.id and r.number = $5 and r.device_dt > wanted.after
       and r.device_dt <= wanted.upto and r.inserted >= wanted.since
     where r.claimed_at is null and r.${column} is not null order by r.device_id, r.device_dt`,
    [
      [...ofDevices.keys()],
      stretches.map(({ afterMs }) => new Date(afterMs)),
      stretches.map(({ uptoMs }) => new Date(uptoMs)),
      stretches.map(({ sinceMs }) => new Date(sinceMs)),
      number,
    ],
  )
  return Map.groupBy(rows, ({ device_id }) => device_id)
}

/** As remembering these readings one after the other would judge the next. @param sides rows of each field, oldest first */
function memoryOf(
  judged: JudgedCondition,
  sides: readonly (readonly RememberedRow[])[],
  stretch: Stretch,
): JudgeMemory {
  if (judged.kind === 'pair') {
    const newest = [newestOf(sides[0], stretch), newestOf(sides[1], stretch)]
    return newest.some((known) => known !== undefined) ? newest : NO_MEMORY
  }
  const [rows = []] = sides
  return rows
    .filter((row) => isWithin(row, stretch))
    .map(({ at_ms, value }) => ({ atMs: at_ms, value, beforeMs: Number.NEGATIVE_INFINITY }))
}

function newestOf(rows: readonly RememberedRow[] = [], stretch: Stretch): Known | undefined {
  const at = rows.findLastIndex((row) => isWithin(row, stretch))
  const newest = rows[at]
  if (newest === undefined) return undefined
  const before = rows.findLast((row, index) => index < at && isWithin(row, stretch))
  return {
    atMs: newest.at_ms,
    value: newest.value,
    beforeMs: before?.at_ms ?? Number.NEGATIVE_INFINITY,
    beforeValue: before?.value,
  }
}

const isWithin = ({ at_ms, inserted_ms }: RememberedRow, { afterMs, uptoMs, sinceMs }: Stretch) =>
  at_ms > afterMs && at_ms <= uptoMs && inserted_ms >= sinceMs
