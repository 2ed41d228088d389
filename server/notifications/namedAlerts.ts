import type { AlertId, CustomerId, IncidentId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type TitleRow, titleColumns, titleOf } from '#server/fleet/alertTitles.ts'
import { deviceThen } from '#server/http/call/history.store.ts'
import { OF_ALL } from '#server/incidents/incidentRows.ts'
import { inOneLine } from '#server/mail/sending/mailer.ts'
import type { IncidentMessage } from './adapters/messageTexts.ts'

/** Beyond these a message says how many more there are. */
const MOST_NAMED = 10

/** The alerts that a message names, of those that its readers see. */
export interface NamedAlerts {
  readonly newestId: number
  readonly alerts: IncidentMessage['alerts']
}

interface Row extends TitleRow {
  readonly incident_id: IncidentId
  readonly customer_id: CustomerId
  readonly alert_id: AlertId
  readonly device_name: string
  readonly is_active: boolean
  readonly place_of_all: number
  readonly place_of_customer: number
}

/** Reads the newest alerts of each share of these incidents, newest first. */
export async function readNamedAlerts(queryable: Queryable, ids: readonly IncidentId[]) {
  const { rows } = await queryable.query<Row>(
    `with own as (
       select distinct incident_id, customer_id, device_id, alert_id from incident_part
       where incident_id = any($1::bigint[])),
     placed as (
       select *, row_number() over (partition by incident_id order by alert_id desc)::int as place_of_all,
         row_number() over (partition by incident_id, customer_id order by alert_id desc)::int as place_of_customer
       from own)
     select placed.incident_id::float8 as incident_id, placed.customer_id, placed.alert_id::float8 as alert_id,
       coalesce(${deviceThen('name', 'a', 'found_at', 'd')}, '') as device_name, ${titleColumns('a')},
       a.condition_state_id = 1 as is_active, placed.place_of_all, placed.place_of_customer
     from placed join alert a on a.device_id = placed.device_id and a.id = placed.alert_id
     join device d on d.id = placed.device_id
     where placed.place_of_all <= ${MOST_NAMED} or placed.place_of_customer <= ${MOST_NAMED}
     order by placed.alert_id desc`,
    [ids],
  )
  const byIncident = Map.groupBy(rows, ({ incident_id }) => incident_id)
  return (id: IncidentId, shareId: number): NamedAlerts => {
    const own = (byIncident.get(id) ?? []).filter((row) =>
      shareId === OF_ALL ? row.place_of_all <= MOST_NAMED : row.customer_id === shareId,
    )
    return { newestId: own[0]?.alert_id ?? 0, alerts: own.map(toNamed) }
  }
}

const toNamed = (row: Row) => ({
  device: inOneLine(row.device_name),
  text: inOneLine(titleOf(row)),
  isActive: row.is_active,
})
