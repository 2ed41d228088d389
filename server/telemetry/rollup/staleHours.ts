import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { MEASURED_TYPE_IDS } from '#server/telemetry/ingress/measuredLayouts.ts'
import type { ComponentSpan } from '../settled/settledDays.ts'

/**
 * Finds hours whose roll-ups lack some stored reading, as rows (device_id, event_type_id, number, hour). The running
 * hour of a component that reported in it is always among them. `$1` are devices, `$2` and `$3` the period.
 */
export const STALE_HOURS_SQL = `
  select device_id, event_type_id, number, hour from (
    select device_id, event_type_id, number, hour from rollup_mark where device_id = any ($1::integer[])
    union all
    select device_id, event_type_id, number, date_trunc('hour', from_at, 'UTC') from state_mark
    where device_id = any ($1::integer[]) and event_type_id = any ('{${MEASURED_TYPE_IDS.join(',')}}'::smallint[])
  ) marked
  where hour >= $2 and hour < $3 and hour >= (select complete_from at time zone 'UTC' from rollup_state)
  union
  select device_id, event_type_id, number, (day + make_interval(hours => bit)) at time zone 'UTC'
  from rollup_due cross join generate_series(0, 23) as bits (bit)
  where device_id = any ($1::integer[]) and hours & (1 << bit) <> 0
    and day >= ($2::timestamptz at time zone 'UTC')::date and day <= ($3::timestamptz at time zone 'UTC')::date
    and (day + make_interval(hours => bit)) at time zone 'UTC' >= $2
    and (day + make_interval(hours => bit)) at time zone 'UTC' < $3
    and day >= (select complete_from from rollup_state)`

export interface StaleHour {
  readonly deviceId: DeviceId
  readonly eventTypeId: number
  readonly number: number
  readonly fromMs: number
}

/**
 * Joins consecutive hours. Stale hours must be read before the roll-ups or with them: what is not stale by then is in
 * the roll-ups, and what becomes stale later was not stored when the question was asked.
 */
export function spansOf(hours: readonly StaleHour[]): ComponentSpan[] {
  const inOrder = hours.toSorted(
    (a, b) => a.deviceId - b.deviceId || a.eventTypeId - b.eventTypeId || a.number - b.number || a.fromMs - b.fromMs,
  )
  const spans: (ComponentSpan & { toMs: number })[] = []
  for (const { deviceId, eventTypeId, number, fromMs } of inOrder) {
    const last = spans.at(-1)
    const isNext =
      last?.deviceId === deviceId && last.eventTypeId === eventTypeId && last.number === number && last.toMs === fromMs
    if (last !== undefined && isNext) last.toMs += HOUR_MS
    else spans.push({ deviceId, eventTypeId, number, fromMs, toMs: fromMs + HOUR_MS })
  }
  return spans
}
