import { shortestReal } from '#domain/units/numbers.ts'
import { literal, type Step } from '#server/db/pipelinedTransaction.ts'
import type { ComponentTrack } from '#server/telemetry/door/componentTrack.ts'
import { isoText } from '#server/telemetry/door/deviceTime.ts'
import type { CheckedReport } from '#server/telemetry/door/submission.ts'

/** How a batch moves the state of one component. */
export interface StateMove {
  readonly track: ComponentTrack
  /** Newest device time in the batch. */
  readonly newestMs: number
  readonly oldestMovedMs: number
  readonly receivedAtMs: number
  /** By index of the field: the time of its new value, or NaN. */
  readonly fieldMs: number[]
  /** The state document of the moved fields. */
  readonly fields: string
}

/** Six significant digits always survive a `real`, so a shorter text means the same number. */
const SAFE_TEXT_LENGTH = 7

function numberText(value: number, isReal: boolean): string {
  const text = String(value)
  if (!isReal || (text.length <= SAFE_TEXT_LENGTH && !text.includes('e'))) return text
  return String(shortestReal(Math.fround(value)))
}

/**
 * Of each field the newest value among the reports, where it is newer than what is known to be stored. Of one instant
 * the first report wins, as it does in the readings.
 *
 * @param newestFirst reports of one component with believed times, no time twice
 */
export function stateMove(track: ComponentTrack, newestFirst: readonly CheckedReport[]): StateMove | undefined {
  const newest = newestFirst[0]
  if (newest === undefined) return undefined
  const { layout } = track
  const count = layout.fields.length
  const fieldMs = layout.noNumbers.slice()
  let missing = count
  let fields = ''
  let oldestMovedMs = newest.atMs
  for (const report of newestFirst) {
    const { numbers, texts, atMs } = report
    for (let index = 0; index < count; index++) {
      const known = fieldMs[index] ?? 0
      if (!Number.isNaN(known)) continue
      const value = numbers[index] ?? Number.NaN
      const text = texts === undefined ? undefined : texts[index]
      if (Number.isNaN(value) && text === undefined) continue
      fieldMs[index] = atMs
      missing--
      if (atMs <= (track.fieldMs[index] ?? 0)) continue
      const written =
        text === undefined ? numberText(value, layout.fields[index]?.storage === 'real') : JSON.stringify(text)
      fields += `${fields === '' ? '' : ','}${layout.stateKeys[index]}${written},${atMs}]`
      oldestMovedMs = atMs
    }
    if (missing === 0) break
  }
  if (fields === '' && newest.atMs <= track.stateNewestMs) return undefined
  return { track, newestMs: newest.atMs, oldestMovedMs, receivedAtMs: newest.receivedAtMs, fieldMs, fields }
}

/** After the commit. */
export function rememberMove({ track, newestMs, fieldMs }: StateMove): void {
  if (newestMs > track.stateNewestMs) track.stateNewestMs = newestMs
  for (let index = 0; index < fieldMs.length; index++) {
    const ms = fieldMs[index] ?? Number.NaN
    if (ms > (track.fieldMs[index] ?? 0)) track.fieldMs[index] = ms
  }
}

/** Every field moves forwards alone; what is wholly newer than the row is laid over it without comparing. */
export function stateStep(moves: readonly StateMove[]): Step {
  const rows = moves.map(({ track, newestMs, oldestMovedMs, receivedAtMs, fields }) => {
    const key = `${track.deviceId},${track.layout.type.id},${track.number}`
    return `(${key},'${isoText(newestMs)}','${isoText(oldestMovedMs)}','${isoText(receivedAtMs)}',${literal(`{${fields}}`)})`
  })
  return {
    sql: `insert into device_state as s (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
      values ${rows.join(',')}
      on conflict (device_id, event_type_id, number) do update set
        fields = case when s.newest_at < excluded.oldest_moved_at then s.fields || excluded.fields
                      else merge_fields(s.fields, excluded.fields) end,
        newest_at = greatest(s.newest_at, excluded.newest_at),
        oldest_moved_at = excluded.oldest_moved_at,
        received_at = greatest(s.received_at, excluded.received_at)`,
  }
}
