import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { literal } from '#server/db/copying/pipelinedTransaction.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { isoText } from '#server/telemetry/ingress/deviceTime.ts'
import { MEASURED_TYPE_IDS } from '#server/telemetry/ingress/measuredLayouts.ts'
import { type ComponentFold, foldUnmerged, type MarkRow } from './unmerged.ts'

const RETURNED = 'returning device_id, event_type_id, number, from_at, fields'

/**
 * Merges the readings of a round's dirty ranges and removes the ranges, in one transaction. A reader of the state
 * therefore finds either the ranges or their merged values, and a reader of hours either the ranges or due hours.
 * Nothing more may be stored under the round when this is called.
 */
export function mergeRound(pool: pg.Pool, round: number, deviceIds: readonly DeviceId[]): Promise<ComponentFold[]> {
  return inTransaction(pool, async (connection) => {
    const { rows } = await connection.query<MarkRow>(
      `delete from state_mark where device_id = any($1::int[]) and round = $2 ${RETURNED}`,
      [deviceIds, round],
    )
    return mergeMarks(connection, rows)
  })
}

/** Whether the current state holds everything that was stored of the time before. */
export async function isMergedBefore(connection: pg.ClientBase, moment: Date): Promise<boolean> {
  const { rows } = await connection.query('select from state_mark where from_at < $1 limit 1', [moment])
  return rows.length === 0
}

/** Merges the readings of these dirty ranges, in the transaction that removed them. */
export async function mergeMarks(connection: pg.ClientBase, marks: readonly MarkRow[]): Promise<ComponentFold[]> {
  if (marks.length === 0) return []
  // A separate statement sees every reading whose dirty range the one before removed.
  const folds = await foldUnmerged(connection, marks)
  if (folds.length > 0) await connection.query(mergeSql(folds))
  await connection.query(DUE_SQL, dueHours(marks))
  await connection.query(ringSql('roll-ups'))
  return folds
}

const MEASURED = new Set(MEASURED_TYPE_IDS)

const DUE_SQL = `insert into rollup_mark (device_id, event_type_id, number, hour)
  select * from unnest($1::integer[], $2::smallint[], $3::smallint[], $4::timestamptz[])`

/** Lists each hour that received readings once. Without their dirty range these hours must become due. */
function dueHours(marks: readonly MarkRow[]): unknown[] {
  const due = new Map<string, MarkRow>()
  for (const mark of marks) {
    if (!MEASURED.has(mark.event_type_id)) continue
    due.set([mark.device_id, mark.event_type_id, mark.number, hourOf(mark)].join(' '), mark)
  }
  const hours = [...due.values()]
  return [
    hours.map(({ device_id }) => device_id),
    hours.map(({ event_type_id }) => event_type_id),
    hours.map(({ number }) => number),
    hours.map((mark) => new Date(hourOf(mark))),
  ]
}

const hourOf = ({ from_at }: MarkRow) => Math.floor(from_at.getTime() / HOUR_MS) * HOUR_MS

/** Every field moves forward alone. A fold that is wholly newer than the row is laid over it without comparing. */
function mergeSql(folds: readonly ComponentFold[]): string {
  const inOrder = folds.toSorted(
    (a, b) => a.deviceId - b.deviceId || a.layout.type.id - b.layout.type.id || a.number - b.number,
  )
  const rows = inOrder.map(({ deviceId, layout, number, newestMs, oldestMs, receivedAt, fields }) => {
    const moments = [newestMs, Math.min(oldestMs, newestMs), receivedAt.getTime()].map((ms) => `'${isoText(ms)}'`)
    const document = literal(JSON.stringify(Object.fromEntries(fields)))
    return `(${deviceId},${layout.type.id},${number},${moments.join(',')},${document})`
  })
  return `insert into device_state as s (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
    values ${rows.join(',')}
    on conflict (device_id, event_type_id, number) do update set
      fields = case when s.newest_at < excluded.oldest_moved_at then s.fields || excluded.fields
                    else merge_fields(s.fields, excluded.fields) end,
      newest_at = greatest(s.newest_at, excluded.newest_at),
      oldest_moved_at = excluded.oldest_moved_at,
      received_at = greatest(s.received_at, excluded.received_at)`
}
