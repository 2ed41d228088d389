import type pg from 'pg'
import { fieldIdOfKind } from '#domain/alerts/conditionKinds.ts'
import type { AlertId, CustomerId, DeviceId, IncidentId } from '#domain/ids.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { foldDue } from '#server/incidents/foldDue.ts'

const PANEL_TEMP = 4101
export const SILENT = fieldIdOfKind('silent') as number

export interface RaisedAlert {
  readonly deviceId: DeviceId
  readonly alertId: AlertId
}

let conditions = 50_000

/** Raises alerts as readings would, folded into incidents: each on a device of its own is an incident. */
export function incidentsIn(pool: pg.Pool) {
  const fold = (now?: Date) => inTransaction(pool, (connection) => foldDue(connection, now))

  async function raiseOn(
    devices: readonly { readonly id: DeviceId }[],
    { at, severityId = 2, text = 'Too warm', fieldId = PANEL_TEMP }: Raising,
  ): Promise<readonly RaisedAlert[]> {
    const { rows } = await pool.query<RaisedAlert>(
      `with opened as (
         insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
           action_type_id, condition_text, state_since, severity_id)
         select id, $2 + place, $3, $3, $4, 'GT', 5, 1, 1, $5, $3, $6
         from unnest($1::int[]) with ordinality as raised (id, place)
         returning device_id, id),
       told as (
         insert into alert_event (device_id, alert_id, kind, at) select device_id, id, 'opened', $3 from opened),
       due as (insert into incident_due (device_id, alert_id) select device_id, id from opened)
       select device_id as "deviceId", id::float8 as "alertId" from opened`,
      [devices.map(({ id }) => id), conditions, at, fieldId, text, severityId],
    )
    conditions += devices.length + 1
    await fold(at)
    return rows
  }

  const moveTo =
    (stateId: number, kind: string) =>
    async (alert: RaisedAlert, at: Date): Promise<void> => {
      await pool.query(
        `with moved as (
         update alert set condition_state_id = $4, state_since = $3 where device_id = $1 and id = $2),
       told as (insert into alert_event (device_id, alert_id, kind, at) values ($1, $2, $5, $3))
       insert into incident_due (device_id, alert_id) values ($1, $2)`,
        [alert.deviceId, alert.alertId, at, stateId, kind],
      )
      await fold(at)
    }

  return {
    fold,
    raiseOn,
    raise: async (device: { readonly id: DeviceId }, raising: Raising): Promise<RaisedAlert> =>
      (await raiseOn([device], raising))[0] as RaisedAlert,
    over: moveTo(2, 'notActive'),
    again: moveTo(1, 'active'),
    incidentOf: async ({ deviceId, alertId }: RaisedAlert): Promise<IncidentId> => {
      const { rows } = await pool.query<{ id: IncidentId }>(
        `select incident_id::float8 as id from incident_part where device_id = $1 and alert_id = $2
         order by raised_at desc limit 1`,
        [deviceId, alertId],
      )
      return rows[0]?.id as IncidentId
    },
  }
}

interface Raising {
  readonly at: Date
  readonly severityId?: number
  readonly text?: string
  readonly fieldId?: number
}

/** Adds channels and routes as somebody would have set them up. */
export function routingIn(pool: pg.Pool) {
  return {
    channel: async (kind: string, wanted: WantedChannel = {}): Promise<number> => {
      const { name = kind, secret = '', settings = {}, signing = [], customerId = null } = wanted
      const made = await pool.query<{ id: number }>(
        `insert into channel (name, kind, settings, secret, signing, customer_id, most_per_hour, quiet,
           recipient_confirmed_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, case when $2 = 'mail' then now() end) returning id`,
        [
          name,
          kind,
          JSON.stringify({ address: '', recipient: '', user: '', issueType: '', transitionId: '', ...settings }),
          secret,
          JSON.stringify(signing),
          customerId,
          wanted.mostPerHour ?? 600,
          wanted.quiet ? JSON.stringify(wanted.quiet) : null,
        ],
      )
      return onlyRow(made).id
    },
    route: async (steps: readonly object[], wanted: WantedRoute = {}): Promise<number> => {
      const made = await pool.query<{ id: number }>(
        `insert into notify_route (name, severity_id, customer_id, of_customer_id, tag, tag_key, hours, steps)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
        [
          wanted.name ?? 'Route',
          wanted.severityId ?? 3,
          wanted.customerId ?? null,
          wanted.ofCustomerId ?? null,
          wanted.tag ?? '',
          wanted.tag?.toLowerCase() ?? '',
          wanted.hours ? JSON.stringify(wanted.hours) : null,
          JSON.stringify(steps),
        ],
      )
      return onlyRow(made).id
    },
  }
}

interface WantedChannel {
  readonly name?: string
  readonly secret?: string
  readonly settings?: object
  readonly signing?: readonly object[]
  readonly customerId?: CustomerId | null
  readonly mostPerHour?: number
  readonly quiet?: object
}

interface WantedRoute {
  readonly name?: string
  readonly severityId?: number
  readonly customerId?: CustomerId
  readonly ofCustomerId?: CustomerId
  readonly tag?: string
  readonly hours?: object
}
