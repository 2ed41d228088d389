import { UPS_ON_GRID } from '#domain/catalogue/displayRules.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { READING_HOLDS_MS, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { justAfter, type Period } from '#server/http/reading/period.ts'
import { readSpan } from '#server/telemetry/read/fieldReadings.ts'

const UPS_TYPE_ID = eventTypeByTopic('ups')?.id ?? 0

/** Reads when the UPS of a device reported battery, oldest first. A reading holds until the next one, within a limit. */
export async function readTimesOnBattery(
  queryable: Queryable,
  deviceId: DeviceId,
  { from, to }: Period,
): Promise<readonly Span[]> {
  const span = { deviceId, eventTypeId: UPS_TYPE_ID, number: 1, fromMs: +from, toMs: +justAfter(to) }
  const { timesMs, values } = await readSpan(queryable, { span, name: 'status' })
  const spans: { fromMs: number; toMs: number }[] = []
  for (const [index, fromMs] of timesMs.entries()) {
    if (values[index] === UPS_ON_GRID) continue
    const toMs = Math.min(timesMs[index + 1] ?? Number.POSITIVE_INFINITY, fromMs + READING_HOLDS_MS)
    const last = spans.at(-1)
    if (last?.toMs === fromMs) last.toMs = toMs
    else spans.push({ fromMs, toMs })
  }
  return spans
}
