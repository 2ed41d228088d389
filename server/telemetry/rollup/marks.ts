import { HOUR_MS } from '#domain/units/time.ts'
import type { CopyBuffer } from '#server/db/CopyBuffer.ts'
import type { Step } from '#server/db/pipelinedTransaction.ts'
import type { ComponentTrack } from '#server/telemetry/door/componentTrack.ts'
import type { CheckedReport } from '#server/telemetry/door/submission.ts'

const ROW_BYTES = 8 + 6 + 6 + 12

/** A UTC hour of a component that got readings: what was worked out from them is no longer right. */
export interface Mark {
  readonly track: ComponentTrack
  readonly hourMs: number
}

/** Each hour once. Nothing is measured by event types that hold only states, so they leave no marks. */
export function noteMarks(marks: Mark[], track: ComponentTrack, oldestFirst: readonly CheckedReport[]): void {
  if (!track.layout.isMeasured) return
  let hourMs = Number.NaN
  for (const { atMs } of oldestFirst) {
    if (atMs < hourMs + HOUR_MS) continue
    hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS
    marks.push({ track, hourMs })
  }
}

/**
 * Always written, also where this process wrote the same mark a moment ago: that one may be gone already, together with
 * a roll-up that does not know the readings of this transaction.
 */
export function markStep(marks: readonly Mark[], buffer: CopyBuffer): Step {
  buffer.begin()
  for (const { track, hourMs } of marks) {
    buffer.row(4, ROW_BYTES)
    buffer.int32(track.deviceId)
    buffer.int16(track.layout.type.id)
    buffer.int16(track.number)
    buffer.timestamp(hourMs)
  }
  return {
    sql: 'copy rollup_mark (device_id, event_type_id, number, hour) from stdin (format binary)',
    copy: buffer.end(),
  }
}
