import type { ColumnType, Generated } from 'kysely'
import type { CustomerId, DeviceId, IncidentId, UserId } from '#domain/ids.ts'
import type { Moment, OptionalMoment } from './columnTypes.ts'

/** Visits to devices: planned, written on site, with their photos. */
export interface VisitTables {
  field_visit: {
    id: Generated<number>
    device_id: DeviceId
    /** Who had the device when it was written. */
    customer_id: CustomerId
    incident_id: IncidentId | null
    technician_id: UserId | null
    start_at: ColumnType<Date, Date, Date>
    end_at: ColumnType<Date, Date, Date>
    bring: Generated<string>
    cancelled_at: OptionalMoment
    entry_id: number | null
    checklist: Generated<string>
    parts: Generated<string>
    record_key: string | null
    recorded_by: UserId | null
    created_at: Moment
    created_by: UserId | null
  }
  visit_photo: {
    device_id: DeviceId
    visit_id: number
    photo_key: string
    taken_at: ColumnType<Date, Date, never>
    jpeg: Buffer
  }
  calendar_address: { user_id: UserId; token_hash: Buffer; made_at: Moment }
}
