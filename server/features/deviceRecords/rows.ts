import type { MessageRow, RawRow } from '#contract/http/deviceRecords.ts'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import type { EventTypeId } from '#domain/ids.ts'
import type { StoredReport } from '#server/telemetry/read/rawRows.ts'
import type { MessageKey } from './pageKeys.ts'

export interface StoredMessage {
  readonly key: MessageKey
  readonly at: Date
  readonly insertedAt: Date
  readonly msg: string
}

/** How the contract writes reports of this type: fields under the names of component 1, whatever component it was. */
export function rawRowOf(eventTypeId: EventTypeId): (report: StoredReport) => RawRow {
  const type = eventTypeById(eventTypeId)
  const names = (type?.fields ?? []).map(({ name }) => [name, `${type?.prefixes[0]}${name}`] as const)
  return ({ at, insertedAt, number, claimedAt, values, extra }) => {
    const row: Record<string, unknown> = { device_dt: at.toISOString(), inserted: insertedAt.toISOString(), number }
    if (claimedAt) row.claimed_at = claimedAt.toISOString()
    if (extra) row.extra = extra
    for (const [name, wireName] of names) {
      const value = values[name]
      if (value !== undefined) row[wireName] = value
    }
    return row as unknown as RawRow
  }
}

export function messageRow({ at, insertedAt, msg }: StoredMessage): MessageRow {
  return { inserted: insertedAt.toISOString(), at: at.toISOString(), msg }
}
