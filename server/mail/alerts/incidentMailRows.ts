import type pg from 'pg'
import type { AlertOrigin } from '#domain/alerts/alertOrigin.ts'
import type { IncidentId } from '#domain/ids.ts'
import { incidentTitle } from '#domain/incidents/incidentLabels.ts'
import { type SharedPart, sharesOf } from '#domain/incidents/shares.ts'
import { type TitleRow, titleColumns, titleJson, titleOf } from '#server/fleet/alertTitles.ts'
import { conditionOrigin } from '#server/fleet/conditionOrigin.ts'
import { type SharedPartRow, toSharedPart } from '#server/incidents/partRows.ts'
import { type MailedIncident, MOST_CONSEQUENCES } from './incidentMailTexts.ts'
import { IS_ASKED } from './isNotified.ts'
import type { MailedAlert } from './mailedAlert.ts'

type Shared = Omit<MailedIncident, 'tells'>
/** Nothing of the incident is left, or the recipient is not notified of any of it. */
type Nothing = 'neverWas' | 'notTheirs'

interface PartRow extends SharedPartRow, TitleRow {
  readonly incident_id: IncidentId
  readonly device_name: string
  readonly device_address: string
  readonly is_told: boolean
  readonly is_acknowledged: boolean
  readonly is_named: boolean
}

/** Reads incidents as one recipient may see them now, with no alerts of others. */
export async function readIncidents(
  pool: pg.Pool,
  ids: readonly IncidentId[],
  userId: number,
): Promise<ReadonlyMap<IncidentId, Shared | Nothing>> {
  const { rows } = await pool.query<PartRow>(
    `select p.incident_id::float8 as incident_id, p.device_id, p.alert_id::float8 as alert_id, p.customer_id,
       p.severity_id, a.status_id = 1 as is_open, p.latitude, p.longitude, p.place_text, p.raised_at, p.onset_at, p.over_at,
       ${titleColumns('a')}, d.name as device_name, d.address as device_address,
       ${IS_ASKED('p.incident_id')} as is_told, named.user_id is not null or a.action_type_id <> 1 as is_named,
       i.acknowledged_at is not null as is_acknowledged
     from incident_part p join incident i on i.id = p.incident_id
     join alert a on a.device_id = p.device_id and a.id = p.alert_id and a.withdrawn_at is null
     join device d on d.id = p.device_id cross join app_user u
     left join alert_named named on named.device_id = p.device_id and named.alert_id = p.alert_id and named.user_id = u.id
     where p.incident_id = any($1::bigint[]) and u.id = $2 order by p.onset_at, p.device_id, p.alert_id, p.raised_at`,
    [ids, userId],
  )
  const found = new Map<IncidentId, Shared | Nothing>()
  for (const [id, all] of Map.groupBy(rows, ({ incident_id }) => incident_id)) {
    const own = all.filter(({ is_told }) => is_told)
    found.set(
      id,
      own.length === 0
        ? 'notTheirs'
        : await shareOf(pool, id, { rows: own, isWhole: own.length === all.length }, userId),
    )
  }
  return found
}

async function shareOf(
  pool: pg.Pool,
  id: IncidentId,
  { rows, isWhole }: { readonly rows: readonly PartRow[]; readonly isWhole: boolean },
  userId: number,
): Promise<Shared | Nothing> {
  const parts = rows.map((row) => ({ ...toSharedPart(row), row }))
  const [share] = sharesOf(parts)
  const first = parts.find(
    ({ deviceId, alertId }) => deviceId === share?.causeDeviceId && alertId === share.causeAlertId,
  )
  if (share === undefined || first === undefined) return 'neverWas'
  const cause = await readAlert(pool, first, userId)
  if (cause === undefined) return 'notTheirs'
  const { alertCount, activeCount, openCount, placeCount, severityId } = share
  const alerts = [...new Map(rows.map((row) => [`${row.device_id} ${row.alert_id}`, row])).values()]
  const others = alerts
    .filter(({ device_id, alert_id }) => device_id !== first.deviceId || alert_id !== first.alertId)
    .toSorted((one, other) => Number(one.is_named) - Number(other.is_named))
  return {
    id,
    cause,
    title: incidentTitle({
      causeText: titleOf(first.row),
      causeFieldId: first.fieldId,
      deviceName: first.row.device_name,
      deviceAddress: first.row.device_address,
      deviceCount: share.titleDeviceCount,
      placeCount: share.titlePlaceCount,
    }),
    causeText: titleOf(first.row),
    consequences: others.slice(0, MOST_CONSEQUENCES).map((row) => `${row.device_name}: ${titleOf(row)}`),
    alerts: alerts.map(({ device_id, alert_id }) => ({ deviceId: device_id, alertId: alert_id })),
    unnamedCount: alerts.filter(({ is_named }) => !is_named).length,
    alertCount,
    activeCount,
    deviceIds: new Set(rows.map(({ device_id }) => device_id)),
    placeCount,
    severityId,
    beganAt: new Date(share.beganMs),
    // An incident of one alert takes its state.
    isOver: alertCount === 1 ? cause.isOver : share.overMs !== undefined,
    overAt: share.overMs === undefined ? undefined : new Date(share.overMs),
    isClosed: openCount === 0,
    canBeAcknowledged: isWhole && rows.every(({ is_acknowledged }) => !is_acknowledged),
  }
}

interface AlertRow extends Omit<MailedAlert, 'title' | 'metric' | 'threshold' | 'origin'> {
  readonly named: TitleRow
  readonly origin_of: AlertOrigin['of'] | null
  readonly origin_customer: string | null
  readonly origin_tag: string | null
  readonly metric_dec: number | null
  readonly metric_text: string | null
  readonly threshold_dec: number | null
  readonly threshold_text: string | null
}

async function readAlert(
  pool: pg.Pool,
  { deviceId, alertId }: Pick<SharedPart, 'deviceId' | 'alertId'>,
  userId: number,
): Promise<MailedAlert | undefined> {
  const { rows } = await pool.query<AlertRow>(
    `select a.id, a.device_id as "deviceId", a.field_id as "fieldId", d.model_id as "deviceModelId",
       a.condition_text as "conditionText", ${titleJson('a')} as named, d.name as "deviceName", d.address as "deviceAddress",
       c.name as "customerName", coalesce(nullif(u.time_zone, ''), d.time_zone) as "timeZone",
       a.created_at as "createdAt", a.status_id = 2 as "isClosed", a.condition_state_id = 2 as "isOver",
       a.state_since as "stateSince", a.active_count as "activeCount", a.severity_id as "severityId", a.operator_code as "operatorCode",
       a.value_dec as threshold_dec, a.value_text as threshold_text, a.metric_value_dec as metric_dec,
       a.metric_value_text as metric_text,
       a.kind, ${conditionOrigin('ac')} as origin_of, oc.name as origin_customer, ac.tag as origin_tag,
       w.reason as "maintenanceReason"
     from alert a join device d on d.id = a.device_id join customer c on c.id = d.customer_id
     join app_user u on u.id = $3
     left join alert_condition ac on ac.id = a.condition_id left join customer oc on oc.id = ac.customer_id
     left join device_maintenance m on m.device_id = a.device_id and m.from_at <= a.created_at and m.to_at > a.created_at
     left join maintenance_window w on w.id = m.window_id and (w.customer_id is null or w.customer_id = a.customer_id)
     where a.device_id = $1 and a.id = $2 limit 1`,
    [deviceId, alertId, userId],
  )
  const [row] = rows
  if (!row) return undefined
  const { named, metric_dec, metric_text, threshold_dec, threshold_text, origin_of: of, ...rest } = row
  const { origin_customer: customerName, origin_tag: tag, ...alert } = rest
  const origin = of && { of, customerName: customerName ?? '', tag: tag ?? '' }
  return {
    ...alert,
    title: titleOf(named),
    origin,
    metric: metric_dec ?? metric_text ?? undefined,
    threshold: threshold_dec ?? threshold_text,
  }
}
