import type { Generated } from 'kysely'
import type { AlertId, CustomerId, DeviceId, FieldId, IncidentId, UserId } from '#domain/ids.ts'
import type { Moment, OptionalMoment } from './columnTypes.ts'

export interface IncidentTables {
  incident: {
    id: Generated<IncidentId>
    joined_into: IncidentId | null
    owner_id: UserId | null
    acknowledged_at: OptionalMoment
    /** The channel whose other side acknowledged it, when it was none of our users. */
    acknowledged_channel_id: number | null
    snoozed_until: OptionalMoment
    created_at: Moment
  }
  incident_part: {
    device_id: DeviceId
    alert_id: AlertId
    raised_at: Moment
    onset_at: Moment
    over_at: OptionalMoment
    customer_id: CustomerId
    field_id: FieldId
    severity_id: number
    is_open: boolean
    group_id: Generated<number>
    incident_id: IncidentId
  }
  incident_share: {
    incident_id: IncidentId
    /** 0 stands for the whole installation. */
    customer_id: number
    began_at: Moment
    over_at: OptionalMoment
    state_id: number
    severity_id: number
    alert_count: number
    active_count: number
    open_count: number
    device_count: number
    place_count: number
    customer_count: number
    cause_device_id: DeviceId
    cause_alert_id: AlertId
    title_device_count: number | null
    title_place_count: number | null
  }
  incident_deed: {
    id: Generated<number>
    incident_id: IncidentId
    kind: string
    at: Moment
    user_id: UserId | null
    channel_id: number | null
    username: Generated<string>
    text: Generated<string>
  }
}
