import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { merged } from '#domain/darkness/minutes/lightDays.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'

/** Reads maintenance that overlaps a time; overlapping windows are one. Devices without any are left out. */
export async function readMaintenanceSpans(
  statements: Statements,
  deviceIds: readonly DeviceId[],
  { fromMs, toMs }: Span,
): Promise<ReadonlyMap<DeviceId, readonly Span[]>> {
  const { rows } = await statements.query<{ device_id: DeviceId; from_ms: number; to_ms: number }>(
    `select device_id, (extract(epoch from from_at) * 1000)::float8 as from_ms,
       (extract(epoch from to_at) * 1000)::float8 as to_ms
     from device_maintenance where device_id = any($1::integer[]) and to_at > $2 and from_at < $3`,
    [[...deviceIds], new Date(fromMs), new Date(toMs)],
  )
  const byDevice = Map.groupBy(rows, ({ device_id }) => device_id)
  return new Map(
    byDevice
      .entries()
      .map(([id, spans]) => [id, merged(spans.map((span) => ({ fromMs: span.from_ms, toMs: span.to_ms })))]),
  )
}

/** SQL: alerts raised under maintenance, by the clock of the device, as rows of device and number. */
export const RAISED_UNDER = `select raised.device_id, raised.id from alert raised
  join device_maintenance m on m.device_id = raised.device_id and m.from_at <= raised.created_at and m.to_at > raised.created_at`
