import type { Generated } from 'kysely'
import type { ConditionKind } from '#domain/alerts/conditionKinds.ts'
import type { AlertId, CustomerId, DeviceId, DeviceModelId, FieldId, UserId } from '#domain/ids.ts'
import type { Moment, OptionalMoment } from './columnTypes.ts'

export interface AlertTables {
  default_conditions: {
    is_only: Generated<boolean>
    state: 'added' | 'offered' | 'answered'
  }
  alert_condition: {
    id: Generated<number>
    device_id: DeviceId | null
    model_id: DeviceModelId | null
    field_id: FieldId
    operator_code: string
    value_dec: number | null
    value_text: string | null
    period_id: number
    action_type_id: number
    kind: Generated<ConditionKind>
    severity_id: Generated<number>
    clear_dec: number | null
    minutes: number | null
    joined_by: 'and' | 'or' | null
    second_field_id: FieldId | null
    second_operator_code: string | null
    second_value_dec: number | null
    second_value_text: string | null
    customer_id: CustomerId | null
    tag: string | null
    tag_key: string | null
    overrides_id: number | null
    is_off: Generated<boolean>
    title: Generated<string | null>
    part_of_id: Generated<number | null>
    part_number: Generated<number | null>
    revision: Generated<number>
    effective_at: Moment
    created_at: Moment
    created_by: UserId | null
    updated_at: OptionalMoment
    updated_by: UserId | null
    deleted_at: OptionalMoment
    deleted_by: UserId | null
  }
  alert: {
    id: Generated<AlertId>
    device_id: DeviceId
    condition_id: number
    status_id: Generated<number>
    condition_state_id: Generated<number>
    created_at: Moment
    found_at: Moment
    field_id: FieldId
    operator_code: string
    value_dec: number | null
    value_text: string | null
    period_id: number
    action_type_id: number
    condition_text: string
    metric_value_dec: number | null
    metric_value_text: string | null
    active_count: Generated<number>
    kind: Generated<ConditionKind>
    state_since: Moment
    acknowledged_at: OptionalMoment
    acknowledged_by: UserId | null
    owner_id: UserId | null
    acknowledge_note: Generated<string>
    closed_at: OptionalMoment
    closed_after: OptionalMoment
    closed_by: UserId | null
    close_resolution_id: number | null
    close_comment: Generated<string>
    withdrawn_at: OptionalMoment
    customer_id: Generated<CustomerId>
    severity_id: Generated<number>
  }
  alert_words: { words_hash: number; condition_text: string }
  alert_event: {
    id: Generated<number>
    device_id: DeviceId
    alert_id: AlertId
    kind: string
    at: Moment
    inserted: Moment
    user_id: UserId | null
    username: Generated<string>
    text: Generated<string>
  }
}
