import { toShownAddress } from '#domain/devices/site.ts'
import type { CustomerId, DeviceId, IncidentId } from '#domain/ids.ts'
import { incidentTitle } from '#domain/incidents/incidentLabels.ts'
import { isSilence } from '#domain/incidents/occurrence.ts'
import type { NotifiedState } from '#domain/notifications/messageNews.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type TitleRow, titleColumns, titleOf } from '#server/fleet/alertTitles.ts'
import { deviceThen } from '#server/http/call/history.store.ts'
import { inOneLine } from '#server/mail/sending/mailer.ts'
import { personName } from '#server/people/personName.ts'
import type { IncidentMessage } from './adapters/messageTexts.ts'
import { type NamedAlerts, readNamedAlerts } from './namedAlerts.ts'

const STATES = ['active', 'over', 'closed'] as const

/** What one customer's people, or staff, may see of an incident now. */
export interface ReadIncident {
  readonly incidentId: IncidentId
  /** The customer; 0 stands for all of it. */
  readonly shareId: number
  readonly message: Omit<IncidentMessage, 'link'>
  readonly current: NotifiedState
  /** The state holds since then, as the server knew it. */
  readonly turnedAt: Date
  readonly snoozedUntil: Date | null
  readonly createdAt: Date
  /** Its root cause is the silence of a device. */
  readonly isOfSilence: boolean
}

interface Row extends TitleRow {
  readonly incident_id: IncidentId
  readonly customer_id: number
  readonly state_id: number
  readonly severity_id: number
  readonly began_at: Date
  readonly over_at: Date | null
  readonly alert_count: number
  readonly active_count: number
  readonly device_count: number
  readonly place_count: number
  readonly title_device_count: number | null
  readonly title_place_count: number | null
  readonly customer_count: number
  readonly acknowledged_at: Date | null
  readonly owner_name: string
  readonly snoozed_until: Date | null
  readonly created_at: Date
  readonly turned_at: Date | null
  readonly device_id: DeviceId
  readonly alert_customer_id: CustomerId
  readonly customer_name: string
  readonly time_zone: string
  readonly device_name: string
  readonly device_address: string
}

/** Reads every share of these incidents: a device has the name of its customer's time. */
export async function readShares(queryable: Queryable, ids: readonly IncidentId[]): Promise<ReadIncident[]> {
  const { rows } = await queryable.query<Row>(
    `select s.incident_id::float8 as incident_id, s.customer_id, s.state_id, s.severity_id, s.began_at, s.over_at,
       s.alert_count, s.active_count, s.device_count, s.place_count, s.title_device_count, s.title_place_count, s.customer_count, i.acknowledged_at,
       case when taker.id is not null and i.owner_id is null then
           case when s.customer_id <> 0 and taker.customer_id is distinct from s.customer_id then 'Staff' else taker.name end
         when i.owner_id is null then '' when s.customer_id <> 0 and o.customer_id is distinct from s.customer_id
         then 'Staff' else ${personName('o')} end as owner_name,
       i.snoozed_until, i.created_at, t.turned_at, ${titleColumns('alert')},
       alert.device_id, alert.customer_id as alert_customer_id, c.name as customer_name,
       device.time_zone, coalesce(${deviceThen('name', 'alert', 'found_at')}, '') as device_name,
       coalesce(${deviceThen('address', 'alert', 'found_at')}, '') as device_address
     from incident_share s join incident i on i.id = s.incident_id
     join alert on alert.device_id = s.cause_device_id and alert.id = s.cause_alert_id
     join device on device.id = alert.device_id join customer c on c.id = alert.customer_id
     left join app_user o on o.id = i.owner_id left join channel taker on taker.id = i.acknowledged_channel_id
     left join incident_turn t on t.incident_id = s.incident_id and t.customer_id = s.customer_id
     where s.incident_id = any($1::bigint[])`,
    [ids],
  )
  const namedOf = await readNamedAlerts(queryable, ids)
  return rows.map((row) => toRead(row, namedOf(row.incident_id, row.customer_id)))
}

function toRead(row: Row, named: NamedAlerts): ReadIncident {
  const text = titleOf(row)
  const state = STATES[row.state_id] ?? 'active'
  const isAcknowledged = row.acknowledged_at !== null
  const title = incidentTitle({
    causeText: text,
    causeFieldId: row.field_id,
    deviceName: row.device_name,
    deviceAddress: row.device_address,
    deviceCount: row.title_device_count ?? row.device_count,
    placeCount: row.title_place_count ?? row.place_count,
  })
  return {
    incidentId: row.incident_id,
    shareId: row.customer_id,
    message: {
      incidentId: row.incident_id,
      title: inOneLine(title),
      state,
      severityId: row.severity_id,
      causeText: inOneLine(text),
      deviceName: inOneLine(row.device_name),
      deviceAddress: toShownAddress(inOneLine(row.device_address)),
      customerName: row.customer_count === 1 || row.customer_id !== 0 ? inOneLine(row.customer_name) : '',
      deviceCount: row.device_count,
      placeCount: row.place_count,
      alertCount: row.alert_count,
      activeCount: row.active_count,
      alerts: named.alerts,
      beganAt: row.began_at,
      overAt: row.over_at ?? undefined,
      acknowledgedBy: isAcknowledged ? inOneLine(row.owner_name) || 'Somebody' : undefined,
      timeZone: row.time_zone,
    },
    current: {
      state,
      severityId: row.severity_id,
      isAcknowledged,
      causeText: text,
      deviceCount: row.device_count,
      alertCount: row.alert_count,
      newestAlertId: named.newestId,
    },
    turnedAt: row.turned_at ?? row.created_at,
    snoozedUntil: row.snoozed_until,
    createdAt: row.created_at,
    isOfSilence: isSilence(row.field_id),
  }
}
