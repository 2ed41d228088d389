import { periodMsOf } from '#domain/alerts/alertLabels.ts'
import { fieldIdOfKind, isClockField } from '#domain/alerts/conditionKinds.ts'
import type { AlertId, CustomerId, DeviceId, FieldId, IncidentId } from '#domain/ids.ts'
import { EXPLAINS_FOR_MS, TOGETHER_MS } from '#domain/incidents/foldLinks.ts'
import type { SharedPart } from '#domain/incidents/shares.ts'
import type { FleetSize } from '#domain/incidents/waves.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Statements } from '#server/db/statements.ts'
import { readPlainAddress } from '#server/fleet/plainAddress.ts'

/** A stored part is one time that an alert was raised. */
export interface Part extends SharedPart {
  readonly incidentId: IncidentId | undefined
}

export interface DueAlert {
  readonly deviceId: DeviceId
  readonly alertId: AlertId
}

export const keyOf = ({ deviceId, alertId }: DueAlert): string => `${deviceId} ${alertId}`

interface AlertRow {
  readonly device_id: DeviceId
  readonly alert_id: AlertId
  readonly customer_id: CustomerId
  readonly field_id: FieldId
  readonly severity_id: number
  readonly is_open: boolean
  readonly closed_at: Date | null
  readonly period_id: number
  readonly value_dec: number | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly address: string
  /** Null when it is not folded yet. */
  readonly place_text: string | null
  readonly kinds: readonly string[]
  readonly moments: readonly Date[]
}

/** The history of alerts; withdrawn ones, and those of deleted devices, were never raised. */
const RAISED = `
  select a.device_id, a.id::float8 as alert_id, a.customer_id, a.field_id, a.severity_id, a.status_id = 1 as is_open,
    a.closed_at, a.period_id, a.value_dec, d.latitude, d.longitude,
    d.address, d.place_text, e.kinds, e.moments
  from unnest($1::int[], $2::bigint[]) as due (device_id, alert_id)
  join alert a on a.device_id = due.device_id and a.id = due.alert_id and a.withdrawn_at is null
  join device d on d.id = a.device_id and d.deleted_at is null
  join (
    select e.device_id, e.alert_id, array_agg(e.kind order by e.at, e.id) as kinds,
      array_agg(e.at order by e.at, e.id) as moments
    from unnest($1::int[], $2::bigint[]) as due (device_id, alert_id)
    join alert_event e on e.device_id = due.device_id and e.alert_id = due.alert_id
      and e.kind in ('opened', 'active', 'notActive')
    group by e.device_id, e.alert_id) e on e.device_id = a.device_id and e.alert_id = a.id
  order by a.device_id, a.id`

/** Reads each time that these alerts were raised, as is known now; none has an incident yet. */
export async function raisedParts(statements: Statements, due: readonly DueAlert[]): Promise<Part[]> {
  const { rows } = await statements.query<AlertRow>(RAISED, [
    due.map(({ deviceId }) => deviceId),
    due.map(({ alertId }) => alertId),
  ])
  const parts: Part[] = []
  for (const row of rows) parts.push(...partsOf(row, (await readPlainAddress(row.address, row.place_text)) ?? null))
  return parts
}

/** @param address null when it names no place */
function partsOf(row: AlertRow, address: string | null): Part[] {
  const parts: { raisedMs: number; overMs: number | undefined }[] = []
  for (const [at, kind] of row.kinds.entries()) {
    const ms = row.moments[at]?.getTime() ?? 0
    const last = parts.at(-1)
    if (kind === 'notActive') {
      if (last !== undefined && last.overMs === undefined) last.overMs = ms
    } else if (last === undefined || last.overMs !== undefined) parts.push({ raisedMs: ms, overMs: undefined })
  }
  const last = parts.at(-1)
  if (last !== undefined && row.closed_at !== null) last.overMs ??= Math.max(last.raisedMs, row.closed_at.getTime())
  const waitMs = isClockField(row.field_id) ? (row.value_dec ?? 0) * MINUTE_MS : (periodMsOf(row.period_id) ?? 0)
  return parts.map(({ raisedMs, overMs }, at) => ({
    deviceId: row.device_id,
    alertId: row.alert_id,
    customerId: row.customer_id,
    fieldId: row.field_id,
    severityId: row.severity_id,
    // An alert that was raised again is handled at its last time.
    isOpen: row.is_open && at === parts.length - 1,
    place: { latitude: row.latitude, longitude: row.longitude, address },
    raisedMs,
    onsetMs: raisedMs - waitMs,
    overMs,
    groupId: 0,
    incidentId: undefined,
  }))
}

/** A row of `incident_part`, without the incident that it is in. */
export interface SharedPartRow {
  readonly device_id: DeviceId
  readonly alert_id: AlertId
  readonly customer_id: CustomerId
  readonly field_id: FieldId
  readonly severity_id: number
  readonly is_open: boolean
  readonly latitude: number | null
  readonly longitude: number | null
  readonly place_text: string | null
  readonly raised_at: Date
  readonly onset_at: Date
  readonly over_at: Date | null
}

interface PartRow extends SharedPartRow {
  readonly group_id: number
  readonly incident_id: IncidentId
}

const COLUMNS = `p.device_id, p.alert_id::float8 as alert_id, p.customer_id, p.field_id, p.severity_id, p.is_open,
  p.latitude, p.longitude, p.place_text, p.raised_at, p.onset_at, p.over_at, p.group_id::float8 as group_id,
  p.incident_id::float8 as incident_id`

export const toSharedPart = (row: SharedPartRow): SharedPart => ({
  deviceId: row.device_id,
  alertId: row.alert_id,
  customerId: row.customer_id,
  fieldId: row.field_id,
  severityId: row.severity_id,
  isOpen: row.is_open,
  place: { latitude: row.latitude, longitude: row.longitude, address: row.place_text },
  raisedMs: row.raised_at.getTime(),
  onsetMs: row.onset_at.getTime(),
  overMs: row.over_at?.getTime(),
  groupId: 0,
})

const toPart = (row: PartRow): Part => ({
  ...toSharedPart(row),
  groupId: row.group_id,
  incidentId: row.incident_id,
})

export async function storedPartsOf(statements: Statements, alerts: readonly DueAlert[]): Promise<Part[]> {
  const { rows } = await statements.query<PartRow>(
    `select ${COLUMNS} from incident_part p
     join unnest($1::int[], $2::bigint[]) as due (device_id, alert_id)
       on due.device_id = p.device_id and due.alert_id = p.alert_id`,
    [alerts.map(({ deviceId }) => deviceId), alerts.map(({ alertId }) => alertId)],
  )
  return rows.map(toPart)
}

export async function partsIn(statements: Statements, incidentIds: readonly IncidentId[]): Promise<Part[]> {
  if (incidentIds.length === 0) return []
  const { rows } = await statements.query<PartRow>(
    `select ${COLUMNS} from incident_part p where p.incident_id = any($1::bigint[])
     order by p.device_id, p.alert_id, p.raised_at`,
    [incidentIds],
  )
  return rows.map(toPart)
}

/** Finds incidents that a change may affect: near in time, or of a device that lacks something. */
export async function incidentsNear(statements: Statements, changed: readonly Part[]): Promise<IncidentId[]> {
  if (changed.length === 0) return []
  const ranges = [...Map.groupBy(changed, ({ customerId }) => customerId)].flatMap(([customerId, own]) =>
    rangesOf(own).map((range) => ({ customerId, ...range })),
  )
  const silence = fieldIdOfKind('silent')
  const silent = rangesOf(changed.filter(({ fieldId }) => fieldId === silence))
  const devices = [...Map.groupBy(changed, ({ deviceId }) => deviceId)].map(([deviceId, own]) => ({
    deviceId,
    from: new Date(
      own.reduce((first, { onsetMs }) => Math.min(first, onsetMs), Number.POSITIVE_INFINITY) - EXPLAINS_FOR_MS,
    ),
    to: new Date(own.reduce((last, { onsetMs }) => Math.max(last, onsetMs), 0) + EXPLAINS_FOR_MS),
  }))
  const { rows } = await statements.query<{ id: IncidentId }>(
    `select p.incident_id::float8 as id from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as near (customer_id, from_at, to_at)
     join incident_part p on p.customer_id = near.customer_id and p.onset_at between near.from_at and near.to_at
     union
     select p.incident_id::float8 from unnest($4::timestamptz[], $5::timestamptz[]) as near (from_at, to_at)
     join incident_part p on p.field_id = ${silence} and p.onset_at between near.from_at and near.to_at
     union
     select p.incident_id::float8 from unnest($6::int[], $7::timestamptz[], $8::timestamptz[]) as near (device_id, from_at, to_at)
     join incident_part p on p.device_id = near.device_id and p.onset_at between near.from_at and near.to_at`,
    [
      ranges.map(({ customerId }) => customerId),
      ranges.map(({ from }) => from),
      ranges.map(({ to }) => to),
      silent.map(({ from }) => from),
      silent.map(({ to }) => to),
      devices.map(({ deviceId }) => deviceId),
      devices.map(({ from }) => from),
      devices.map(({ to }) => to),
    ],
  )
  return rows.map(({ id }) => id)
}

/** Returns ranges around the beginnings; those that touch are one. */
function rangesOf(parts: readonly Part[]): { from: Date; to: Date }[] {
  const ranges: { from: Date; to: Date }[] = []
  for (const onsetMs of parts.map((part) => part.onsetMs).toSorted((one, other) => one - other)) {
    const last = ranges.at(-1)
    const to = new Date(onsetMs + TOGETHER_MS)
    if (last !== undefined && onsetMs - TOGETHER_MS <= last.to.getTime()) last.to = to
    else ranges.push({ from: new Date(onsetMs - TOGETHER_MS), to })
  }
  return ranges
}

export async function fleetSize(statements: Statements): Promise<FleetSize> {
  const { rows } = await statements.query<{ customer_id: CustomerId; devices: number }>(
    'select customer_id, count(*)::int as devices from device where deleted_at is null group by customer_id',
  )
  return {
    all: rows.reduce((sum, { devices }) => sum + devices, 0),
    ofCustomer: new Map(rows.map(({ customer_id, devices }) => [customer_id, devices])),
  }
}
