import { createHash, randomUUID } from 'node:crypto'
import { REFUSED_FOR_MS } from '#domain/devices/refusedReports.ts'
import { literal, type Step } from '#server/db/copying/pipelinedTransaction.ts'
import { isoText } from '#server/telemetry/ingress/deviceTime.ts'
import type { CheckedMessage, Rejection } from '#server/telemetry/ingress/submission.ts'

/** Messages are unique by device, time and hash of the text, so that a message sent twice is stored once. */
export function messageStep(messages: readonly CheckedMessage[]): Step {
  const rows = messages.map(({ deviceId, atMs, receivedAtMs, msg }) => ({
    device_id: deviceId,
    at: isoText(atMs),
    inserted: isoText(receivedAtMs),
    hash: `\\x${createHash('sha256').update(msg).digest('hex')}`,
    msg,
  }))
  return {
    sql:
      'insert into device_message (device_id, at, inserted, hash, msg) select device_id, at, inserted, hash, msg ' +
      `from json_populate_recordset(null::device_message, ${literal(JSON.stringify(rows))}) on conflict do nothing`,
  }
}

export interface KeptRejection extends Rejection {
  readonly id: string
}

export const kept = (rejection: Rejection): KeptRejection => ({ ...rejection, id: randomUUID() })

export function rejectedReportStep(rejections: readonly KeptRejection[]): Step {
  const rows = rejections.map(({ receivedAtMs, deviceId, id, reason, detail, topic, payload }) => ({
    received_at: isoText(receivedAtMs),
    device_id: deviceId,
    id,
    reason,
    detail: storable(detail),
    topic: storable(topic),
    payload: `\\x${payload.toString('hex')}`,
  }))
  return {
    sql:
      'insert into rejected_report (received_at, device_id, id, reason, detail, topic, payload) ' +
      'select received_at, device_id, id, reason, detail, topic, payload ' +
      `from json_populate_recordset(null::rejected_report, ${literal(JSON.stringify(rows))}) on conflict do nothing`,
  }
}

export function rejectionCountStep(rejections: readonly Rejection[]): Step {
  const counts = new Map<string, { device_id: number; reason: string; count: number; last_at: string }>()
  for (const { deviceId, reason, receivedAtMs } of rejections) {
    const key = `${deviceId} ${reason}`
    const entry = counts.get(key) ?? { device_id: deviceId, reason, count: 0, last_at: '' }
    entry.count++
    entry.last_at = isoText(receivedAtMs)
    counts.set(key, entry)
  }
  return {
    sql:
      'insert into rejected_report_count as c (device_id, reason, count, last_at) ' +
      'select device_id, reason, count, last_at from json_populate_recordset(null::rejected_report_count, ' +
      `${literal(JSON.stringify([...counts.values()]))}) order by device_id, reason on conflict (device_id, reason) do update ` +
      'set count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)',
  }
}

/** Updates each device's current period of refusals and its newest example. */
export function refusalStep(rejections: readonly Rejection[]): Step {
  const byDevice = Map.groupBy(rejections, ({ deviceId }) => deviceId)
  const rows = [...byDevice].map(([deviceId, its]) => {
    const [first, newest] = [its[0] as Rejection, its.at(-1) as Rejection]
    return {
      device_id: deviceId,
      since: isoText(first.receivedAtMs),
      last_at: isoText(newest.receivedAtMs),
      count: its.length,
      reason: newest.reason,
      detail: storable(newest.detail),
      topic: storable(newest.topic),
      payload: `\\x${newest.payload.toString('hex')}`,
    }
  })
  // A period that had ended starts again.
  const goesOn = `r.last_at > excluded.last_at - interval '${REFUSED_FOR_MS} milliseconds'`
  return {
    sql:
      'insert into device_refusal as r (device_id, since, last_at, count, reason, detail, topic, payload) ' +
      'select device_id, since, last_at, count, reason, detail, topic, payload ' +
      `from json_populate_recordset(null::device_refusal, ${literal(JSON.stringify(rows))}) order by device_id ` +
      'on conflict (device_id) do update set ' +
      `since = case when ${goesOn} then r.since else excluded.since end, ` +
      `count = case when ${goesOn} then r.count else 0 end + excluded.count, ` +
      'last_at = excluded.last_at, reason = excluded.reason, detail = excluded.detail, topic = excluded.topic, ' +
      'payload = excluded.payload',
  }
}

const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd').slice(0, 2000)
