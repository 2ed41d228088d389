import { type JudgeMemory, NO_MEMORY, neededBeforeMs, remember } from '#domain/alerts/conditionJudge.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { FieldPlace } from './alertRules.ts'
import { merged, type ReadingRow, type WatchedRule } from './conditionReadings.ts'

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

interface RememberedRow extends ReadingRow {
  readonly device_id: DeviceId
  readonly inserted: Date
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
    const sides = fields.map((field) => rowsWithin(read.get(keyOf(field))?.get(condition.deviceId), stretch))
    let memory = NO_MEMORY
    for (const sample of merged(sides)) memory = remember(judged, memory, sample)
    memories.set(condition, memory)
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
    `select r.device_id, r.device_dt, r.inserted, r.${column} as value
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

const rowsWithin = (rows: readonly RememberedRow[] = [], { afterMs, uptoMs, sinceMs }: Stretch) =>
  rows.filter(({ device_dt, inserted }) => +device_dt > afterMs && +device_dt <= uptoMs && +inserted >= sinceMs)
