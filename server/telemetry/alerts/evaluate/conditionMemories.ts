import {
  type JudgedCondition,
  type JudgeMemory,
  type Known,
  NO_MEMORY,
  neededBeforeMs,
} from '#domain/alerts/fold/conditionJudge.ts'
import type { DeviceId } from '#domain/ids.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import { isOfThese } from '#server/db/queries/isOfOne.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type ComponentSpan, findSettled } from '../../settled/settledDays.ts'
import { believedRows, msAt, valueAt } from '../../settled/settledValues.ts'
import type { FieldPlace } from '../alertRules.ts'
import type { WatchedRule } from '../conditionReadings.ts'

/** In milliseconds. */
const A_MICROSECOND = 0.001

interface Remembering {
  readonly deviceId: DeviceId
  readonly rule: WatchedRule
  readonly state: { readonly lastAtMs: number | undefined }
}

/** Readings of a device after one device time and up to another that arrived at or after a third. */
interface Stretch {
  readonly deviceId: DeviceId
  readonly afterMs: number
  readonly uptoMs: number
  readonly sinceMs: number
}

/** Moments are numbers, because a process that takes over a fleet reads hundreds of thousands of rows. */
interface RememberedRow {
  readonly place: number
  readonly at_ms: number
  readonly value: number | string
}

/** A field, as far back as some conditions look. */
class WantedField {
  readonly field: FieldPlace
  readonly stretches = new Map<string, Stretch>()
  #read: ReadonlyMap<string, readonly RememberedRow[]> = new Map()

  constructor(field: FieldPlace) {
    this.field = field
  }

  async read(queryable: Queryable): Promise<void> {
    const keys = [...this.stretches.keys()]
    const rows = await readField(queryable, this.field, [...this.stretches.values()])
    this.#read = Map.groupBy(rows, ({ place }) => keys[place] as string)
  }

  rowsOf(stretch: Stretch): readonly RememberedRow[] {
    return this.#read.get(keyOf(stretch)) ?? []
  }
}

/**
 * Reads what conditions that look back must remember of readings up to the newest evaluated one. Each field is read
 * once for all conditions and all devices, because a process that takes devices over has thousands with the same few
 * fields.
 */
export async function readMemories<Condition extends Remembering>(
  queryable: Queryable,
  conditions: readonly Condition[],
  countsFrom: (condition: Condition) => Date,
): Promise<ReadonlyMap<Condition, JudgeMemory>> {
  const wanted = new Map<string, WantedField>()
  const asked = new Map<Condition, { readonly stretch: Stretch; readonly sides: readonly WantedField[] }>()
  for (const condition of conditions) {
    const { deviceId, rule, state } = condition
    if (state.lastAtMs === undefined) continue
    const stretch = {
      deviceId,
      afterMs: state.lastAtMs - neededBeforeMs(rule.judged) - 1,
      uptoMs: state.lastAtMs,
      sinceMs: countsFrom(condition).getTime(),
    }
    const sides = rule.fields.map((field) => {
      const key = `${field.layout.table} ${field.number} ${field.fieldIndex}`
      const side = wanted.get(key) ?? new WantedField(field)
      wanted.set(key, side)
      side.stretches.set(keyOf(stretch), stretch)
      return side
    })
    asked.set(condition, { stretch, sides })
  }
  for (const field of wanted.values()) await field.read(queryable)
  const memories = new Map<Condition, JudgeMemory>()
  for (const [condition, { stretch, sides }] of asked) {
    const rows = sides.map((side) => side.rowsOf(stretch))
    memories.set(condition, memoryOf(condition.rule.judged, rows))
  }
  return memories
}

const keyOf = ({ deviceId, afterMs, uptoMs, sinceMs }: Stretch) => `${deviceId} ${afterMs} ${uptoMs} ${sinceMs}`

async function readField(
  queryable: Queryable,
  field: FieldPlace,
  stretches: readonly Stretch[],
): Promise<readonly RememberedRow[]> {
  const { layout, number, fieldIndex } = field
  const spans = stretches.map(
    ({ deviceId, afterMs, uptoMs }): ComponentSpan => ({
      ...{ deviceId, eventTypeId: layout.type.id, number },
      ...{ fromMs: afterMs + A_MICROSECOND, toMs: uptoMs + A_MICROSECOND },
    }),
  )
  const settled = await findSettled(queryable, spans)
  const column = layout.columns[fieldIndex]
  const isWanted = isOfThese(stretches.map(({ deviceId }) => deviceId))
  const { rows } = await queryable.query<RememberedRow>(
    `select wanted.place::int - 1 as place, (extract(epoch from r.device_dt) * 1000)::float8 as at_ms, r.${column} as value
     from unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[])
       with ordinality as wanted (id, after, upto, since, place)
     cross join lateral (
       select r.device_dt, r.${column} from ${layout.table} r
       where r.device_id = wanted.id and ${isWanted('r')} and r.number = $5 and r.device_dt > wanted.after and r.device_dt <= wanted.upto
         and r.device_dt >= $6
         and r.inserted >= wanted.since and ${isBelieved('r.')} and r.${column} is not null
       order by r.device_dt desc) r
     order by wanted.place, r.device_dt`,
    [
      stretches.map(({ deviceId }) => deviceId),
      stretches.map(({ afterMs }) => new Date(afterMs)),
      stretches.map(({ uptoMs }) => new Date(uptoMs)),
      stretches.map(({ sinceMs }) => new Date(sinceMs)),
      number,
      new Date(Math.max(0, settled.openFromMs)),
    ],
  )
  if (settled.isEmpty) return rows
  const older: RememberedRow[] = []
  const name = layout.fields[fieldIndex]?.name ?? ''
  for await (const day of settled.days({ fields: [name], withArrivals: true, withClaims: true }, 'newestFirst')) {
    const place = spans.indexOf(day.span)
    const sinceMicroseconds = (stretches[place]?.sinceMs ?? 0) * 1000
    for (const row of believedRows(day, 'newestFirst')) {
      const value = valueAt(day.columns.fields.get(name), row)
      if (value === undefined || (day.columns.inserted[row] as number) < sinceMicroseconds) continue
      older.push({ place, at_ms: msAt(day, row), value })
    }
  }
  return [...older.reverse(), ...rows]
}

/**
 * Builds the memory that these readings, oldest first for each field, would have left: of a pair the newest reading and
 * the one before it.
 */
function memoryOf(judged: JudgedCondition, sides: readonly (readonly RememberedRow[])[]): JudgeMemory {
  if (judged.kind === 'pair') {
    const newest = [newestOf(sides[0]), newestOf(sides[1])]
    return newest.some((known) => known !== undefined) ? newest : NO_MEMORY
  }
  return (sides[0] ?? []).map(({ at_ms, value }) => ({ atMs: at_ms, value, beforeMs: Number.NEGATIVE_INFINITY }))
}

function newestOf(rows: readonly RememberedRow[] = []): Known | undefined {
  const [newest, before] = [rows.at(-1), rows.at(-2)]
  if (newest === undefined) return undefined
  const beforeMs = before?.at_ms ?? Number.NEGATIVE_INFINITY
  return { atMs: newest.at_ms, value: newest.value, beforeMs, beforeValue: before?.value }
}
