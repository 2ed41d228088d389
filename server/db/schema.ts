import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ViewPage } from '#contract/http/devices/views.ts'
import type { LightKind } from '#domain/darkness/minutes/darkMinutes.ts'
import type {
  AlertId,
  CountryId,
  CustomerId,
  DeviceGuid,
  DeviceId,
  DeviceModelId,
  RoleId,
  UserId,
} from '#domain/ids.ts'
import type { AlertTables } from './tables/alertTables.ts'
import type { Json, Moment, OptionalMoment } from './tables/columnTypes.ts'
import type { IncidentTables } from './tables/incidentTables.ts'
import type { SettingTables } from './tables/settingTables.ts'
import type { SignInTables } from './tables/signInTables.ts'
import type { VisitTables } from './tables/visitTables.ts'

/** Describes the tables that features use through Kysely; readings have statements of their own. */
export interface Database extends AlertTables, IncidentTables, SettingTables, SignInTables, VisitTables {
  country: { id: Generated<CountryId>; iso_code: string; name: string; time_zone: string }
  customer: {
    id: Generated<CustomerId>
    name: string
    country_id: CountryId | null
    is_active: Generated<boolean>
    kept_days: number | null
    created_at: Moment
    created_by: UserId | null
    updated_at: OptionalMoment
    updated_by: UserId | null
  }
  app_role: {
    id: Generated<RoleId>
    name: string
    requires_bound_session: Generated<boolean>
    factor_grace_days: number | null
    factor_required_at: Date | null
    created_at: Moment
    created_by: UserId | null
    updated_at: OptionalMoment
    updated_by: UserId | null
    deleted_at: OptionalMoment
    deleted_by: UserId | null
    allows_assistants: Generated<boolean>
  }
  app_role_function: { role_id: RoleId; function_id: number; created_at: Moment; created_by: UserId | null }
  app_user: {
    id: Generated<UserId>
    username: string
    first_name: Generated<string>
    last_name: Generated<string>
    email: Generated<string>
    role_id: RoleId
    customer_id: CustomerId | null
    password_hash: string | null
    is_lab: Generated<boolean>
    is_disabled: Generated<boolean>
    is_email_on: Generated<boolean>
    role_since: Generated<Date>
    time_zone: Generated<string>
    created_at: Moment
    created_by: UserId | null
    updated_at: OptionalMoment
    updated_by: UserId | null
    deleted_at: OptionalMoment
    deleted_by: UserId | null
    erase_asked_at: OptionalMoment
  }
  password_mail: {
    id: GeneratedAlways<number>
    user_id: UserId
    kind: 'activation' | 'reset'
    username: string
    asked_by: UserId | null
    message_id: string
    queued_at: Moment
    given_up_at: OptionalMoment
    sent_at: OptionalMoment
    claimed_at: OptionalMoment
    failure: Generated<string>
  }
  password_link: { token_hash: Buffer; mail_id: number; expires_at: Moment }
  password_reset_request: { username: string; asked_at: Moment }
  allowance: { subject: string; whole_at: Date }
  browser_key: { id: GeneratedAlways<number>; secret: Buffer; made_at: Moment }
  limit_refusal: { client: string; hour: Date; count: number; audit_id: number | null }
  sign_in_failure: { subject: string; failures: number; last_failed_at: Moment }
  audit_log: {
    id: Generated<number>
    inserted_at: Moment
    action_id: number
    entity_type_id: number
    entity_id: number | null
    entity_name: Generated<string>
    customer_id: CustomerId | null
    user_id: UserId | null
    username: Generated<string>
    author_customer_id: CustomerId | null
    arrived_customer_id: CustomerId | null
    address: Generated<string>
    call: string
    outcome: string
    details: Generated<string>
    before: Json
    after: Json
    bulk_id: string | null
  }
  device: {
    id: Generated<DeviceId>
    guid: DeviceGuid
    name: string
    /** Devices are ordered by it; the database makes it of the name. */
    name_order: GeneratedAlways<string>
    address: Generated<string>
    status_id: Generated<number>
    model_id: DeviceModelId
    customer_id: CustomerId
    attr_serial: Generated<string>
    search_text: Generated<string | null>
    place_text: Generated<string | null>
    tags: Generated<string[]>
    tag_keys: Generated<string[]>
    latitude: number | null
    longitude: number | null
    description: Generated<string>
    iot_device_id: string
    internal_ip: Generated<string>
    external_ip: Generated<string>
    time_zone: Generated<string>
    time_zone_is_assumed: Generated<boolean>
    alerts_from: Moment
    creation_key: string | null
    created_at: Moment
    created_by: UserId | null
    updated_at: OptionalMoment
    updated_by: UserId | null
    deleted_at: OptionalMoment
    deleted_by: UserId | null
  }
  device_component: {
    id: Generated<number>
    device_id: DeviceId
    component_model_id: number
    category_id: number
    number: number
    label: Generated<string>
    label_reset: Generated<string>
    label_port1: Generated<string>
    label_port2: Generated<string>
    option_port1: Generated<string>
    option_port2: Generated<string>
    als: number | null
    touch_matrix: number | null
    json_settings: Json
    is_expected: Generated<boolean>
    unused_ports: Generated<number[]>
    batch: Generated<string>
    installed_on: ColumnType<Date | null, string | null | undefined, string | null>
  }
  device_driver: {
    device_id: DeviceId
    part: string
    driver: string
    options: Json
    secrets: Json
  }
  device_drivers_told: {
    device_id: DeviceId
    told: Json
    told_at: Generated<Date>
    found: Json | null
    found_at: Date | null
  }
  device_deletion: {
    device_id: DeviceId
    deleted_at: Moment
    due_at: OptionalMoment
    checks: Generated<number>
    emptied_at: OptionalMoment
  }
  holiday_year: { country_id: CountryId; year: number; edited_at: Moment; edited_by: UserId | null }
  holiday: { country_id: CountryId; year: number; date: ColumnType<Date, string, string>; name: string }
  device_departure: {
    device_id: DeviceId
    left_at: Moment
    customer_id: CustomerId
    name: string
    address: string
    model_id: DeviceModelId
    status_id: number
    last_day: ColumnType<Date, string, never>
  }
  device_credential: { device_id: DeviceId; key_hash: Buffer; issued_at: Moment; first_used_at: OptionalMoment }
  server_process: {
    id: string
    started_at: Moment
    lease_until: Moment
    listens: Generated<boolean>
    told: Json
    told_at: OptionalMoment
  }
  device_connection: {
    device_id: DeviceId
    connection_id: string
    process_id: string
    opened_at: Moment
    is_silent: Generated<boolean>
  }
  device_presence_history: { device_id: DeviceId; at: Moment; is_online: boolean; reason: string }
  device_state: {
    device_id: DeviceId
    event_type_id: number
    number: number
    newest_at: Moment
    oldest_moved_at: Moment
    received_at: Moment
    fields: ColumnType<Record<string, [number | string, number]>, string, string>
  }
  device_now: {
    device_id: DeviceId
    newest_at: OptionalMoment
    heard_at: OptionalMoment
    clock_error_ms: number | null
    internal_temp: number | null
    internal_temp_at: OptionalMoment
    intake_temp: number | null
    intake_temp_at: OptionalMoment
    display2_internal_temp: number | null
    display2_internal_temp_at: OptionalMoment
    display2_intake_temp: number | null
    display2_intake_temp_at: OptionalMoment
    display3_internal_temp: number | null
    display3_internal_temp_at: OptionalMoment
    display3_intake_temp: number | null
    display3_intake_temp_at: OptionalMoment
    client_version: string | null
    client_version_at: OptionalMoment
    light: LightKind | null
    light_since: OptionalMoment
    light_is_at_least: Generated<boolean>
    cause: Json
    is_on_battery: boolean | null
    battery_since: OptionalMoment
    battery_is_at_least: Generated<boolean>
    restarting_since: OptionalMoment
    is_silent: boolean | null
    silent_since: OptionalMoment
    active_alerts: number | null
    alert_consequence: number | null
    unknown_command: Json
    customer_id: CustomerId | null
    conflict_since: OptionalMoment
    wrong_kinds: Generated<number>
    wrong_since: OptionalMoment
  }
  device_refusal: {
    device_id: DeviceId
    since: Moment
    last_at: Moment
    count: number
    reason: string
    detail: string
    topic: string
    payload: Buffer
  }
  saved_view: {
    id: Generated<number>
    owner_id: UserId
    page: ViewPage
    name: string
    content: ColumnType<unknown, string, string>
    shared_role_id: RoleId | null
    shared_customer_id: CustomerId | null
    created_at: Generated<Date>
  }
  default_view: { user_id: UserId; page: ViewPage; view_id: number }
  maintenance_entry: {
    id: Generated<number>
    device_id: DeviceId
    start_at: ColumnType<Date, Date, Date>
    end_at: OptionalMoment
    component_id: number | null
    component_name: Generated<string>
    reason_id: number | null
    action_id: number | null
    resolution_id: number | null
    alert_id: AlertId | null
    action_comment: string
    created_at: Moment
    created_by: UserId | null
    username: Generated<string>
    updated_at: OptionalMoment
    updated_by: UserId | null
    customer_id: Generated<CustomerId>
  }
}
