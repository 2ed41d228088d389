import { AlertIdsMissing } from '#server/telemetry/alerts/evaluate/AlertEvaluator.ts'
import { STALE_ALERTS } from '#server/telemetry/alerts/evaluate/alertRows.ts'
import { KEPT_PAYLOAD_BYTES, type Rejection } from '#server/telemetry/ingress/submission.ts'
import type { Work } from './batch.ts'

/** Whether the batch must be evaluated again, with newer conditions or more reserved alert ids. */
export function isStale(error: Error): boolean {
  return error instanceof AlertIdsMissing || (error as { code?: unknown }).code === STALE_ALERTS
}

export function refusedItem({ reports, messages }: Work, error: Error): Rejection[] {
  const detail = `The database refused it: ${error.message}`
  const reason = 'not_stored'
  return [
    ...reports.map(
      ({ deviceId, layout, number, receivedAtMs, atMs, numbers, texts, extra }) =>
        ({
          deviceId,
          reason,
          detail,
          topic: `events/${layout.type.topic}/${number}`,
          payload: shortened({ at: atMs, numbers, texts, extra }),
          receivedAtMs,
        }) as const,
    ),
    ...messages.map(
      ({ deviceId, atMs, msg, receivedAtMs }) =>
        ({
          deviceId,
          reason,
          detail,
          topic: 'messages',
          payload: shortened({ at: atMs, msg }),
          receivedAtMs,
        }) as const,
    ),
  ]
}

const shortened = (value: unknown) => Buffer.from(JSON.stringify(value)).subarray(0, KEPT_PAYLOAD_BYTES)
