import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { AlertDetails, getAlertHistory } from '#contract/http/alerting/alerts.ts'
import {
  ALERT_ACTIONS,
  ALERT_RESOLUTIONS,
  ALERT_STATUSES,
  CONDITION_STATES,
  nameOf,
} from '#domain/alerts/alertLabels.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { AlertId, UserId } from '#domain/ids.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { titleOf } from '#server/fleet/alertTitles.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isOfScope, shownAs, shownId } from '#server/http/call/history.store.ts'
import { keyTime } from '#server/http/reading/keyTime.store.ts'
import { askedPage, type PageRequest, readPage, readPageKey } from '#server/http/reading/pages.ts'
import {
  type AlertRow,
  alertRowsIn,
  alertsIn,
  analysed,
  incidentsOf,
  openMinutes,
  raisedUnderOf,
  toIncidentOf,
  toOrigin,
  toRaisedUnder,
} from './alertRows.store.ts'

const MOST_NEIGHBOURS = 20
/** These are a hundred times that a condition was met; further entries are read by pages. */
const NEWEST_HISTORY = 200
const SHOWN_KINDS = ['opened', 'active', 'notActive', 'acknowledged', 'closed', 'moved'] as const

type RowOf<Ask extends (...given: never[]) => { execute(): Promise<unknown[]> }> = Awaited<
  ReturnType<ReturnType<Ask>['execute']>
>[number]

type HistoryEntry = AlertDetails['history'][number]
type HistoryKind = (typeof SHOWN_KINDS)[number]

/** Reads an alert with everything known of it; undefined when there is none within the scope. */
export async function findAlertDetails(db: Db | Tx, scope: Scope, id: AlertId): Promise<AlertDetails | undefined> {
  const row = await findRow(db, scope, id)
  if (row === undefined) return undefined
  const history = await historyOf(db, scope, row, { skip: 0, size: NEWEST_HISTORY + 1 }).execute()
  const neighbours = await neighboursOf(db, scope, row).execute()
  const maintenance = await maintenanceOf(db, scope, row).execute()
  const raisedUnder = (await raisedUnderOf([row]).execute(db)).rows[0]
  const incident = (await incidentsOf(scope, [row]).execute(db)).rows[0]
  const newest = await readPage({ skip: 0, size: NEWEST_HISTORY }, async () => history, keyOf)
  return {
    ...detailsOf(row),
    history: newest.rows.map(toHistory).toReversed(),
    olderHistory: newest.next,
    neighbours: neighbours
      .sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || a.id - b.id)
      .map(toNeighbour),
    maintenanceIds: maintenance.map(({ id: entryId }) => entryId),
    maintenance: raisedUnder ? toRaisedUnder(raisedUnder) : null,
    incident: toIncidentOf(incident),
  }
}

const historyKey = z.strictObject({ at: z.iso.datetime(), id: z.number().int() })
type HistoryKey = z.output<typeof historyKey>
const keyOf = ({ key_time, id }: HistoryRow): HistoryKey => ({ at: key_time, id: Number(id) })

export async function findAlertHistory(
  db: Db,
  scope: Scope,
  { id, pageSize, next }: z.output<typeof getAlertHistory.query>,
): Promise<z.output<typeof getAlertHistory.answer> | undefined> {
  const page = askedPage({ pageSize, next }, NEWEST_HISTORY, (key) => readPageKey(key, historyKey))
  const row = await alertsIn(db, scope)
    .where('alert.id', '=', id)
    .select(['alert.id', 'alert.device_id'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { rows, next: older } = await readPage(page, (asked) => historyOf(db, scope, row, asked).execute(), keyOf)
  return { rows: rows.map(toHistory), next: older }
}

const findRow = (db: Db | Tx, scope: Scope, id: AlertId) =>
  alertRowsIn(db, scope)
    .innerJoin('customer', 'customer.id', 'alert.customer_id')
    .leftJoin('app_user as closer', 'closer.id', 'alert.closed_by')
    .leftJoin('app_user as author', 'author.id', 'alert.acknowledged_by')
    .select([
      'alert.operator_code',
      'alert.kind',
      'alert.action_type_id',
      'alert.value_dec',
      'alert.value_text',
      'alert.metric_value_dec',
      'alert.metric_value_text',
      'alert.close_resolution_id',
      'alert.close_comment',
      'alert.closed_by',
      'alert.acknowledged_at',
      'alert.acknowledge_note',
      shownId<UserId>(scope, 'owner').as('owner_id'),
      shownAs(scope, 'closer', sql`closer.username`).as('closer_name'),
      shownAs(scope, 'author', sql`author.username`).as('acknowledged_name'),
      'customer.name as customer_name',
    ])
    .where('alert.id', '=', id)
    .executeTakeFirst()

type DetailsRow = NonNullable<Awaited<ReturnType<typeof findRow>>>

function detailsOf(
  row: DetailsRow,
): Omit<AlertDetails, 'history' | 'olderHistory' | 'neighbours' | 'maintenanceIds' | 'maintenance' | 'incident'> {
  const numbered = numberedFieldById(row.field_id)
  return {
    id: row.id,
    created: row.created_at.toISOString(),
    status_name: nameOf(ALERT_STATUSES, row.status_id),
    alert_open_minutes: openMinutes(row.created_at, row.closed_at, Date.now()),
    device_name: row.name,
    et_field_group_name: numbered?.groupName ?? UNKNOWN_TEXT,
    action_type_name: nameOf(ALERT_ACTIONS, row.action_type_id),
    condition_state_name: nameOf(CONDITION_STATES, row.condition_state_id),
    et_field_name: numbered?.name ?? UNKNOWN_TEXT,
    metric_value_dec: row.metric_value_dec,
    metric_value_text: row.metric_value_text,
    value_dec: row.value_dec,
    value_text: row.value_text,
    condition_text: row.condition_text,
    title: titleOf(row),
    close_resolution_name: row.close_resolution_id === null ? null : nameOf(ALERT_RESOLUTIONS, row.close_resolution_id),
    close_comment: row.close_comment,
    deviceId: row.device_id,
    deviceGuid: row.guid,
    deviceModelId: row.model_id,
    deviceHasLeft: row.has_left,
    deviceAddress: row.address,
    customerName: row.customer_name,
    kind: row.kind,
    conditionOrigin: toOrigin(row),
    severityId: row.severity_id,
    lastChanged: row.changed_at.toISOString(),
    statusId: row.status_id,
    conditionStateId: row.condition_state_id,
    found: row.found_at.toISOString(),
    closed: row.closed_at?.toISOString() ?? null,
    closedBy: row.closed_by === null ? null : row.closer_name,
    activeCount: row.active_count,
    field_id: row.field_id,
    operatorCode: row.operator_code,
    measurementId: analysed(row.field_id).measurementId,
    acknowledged: row.acknowledged_at && {
      at: row.acknowledged_at.toISOString(),
      username: row.acknowledged_name,
      ownerId: row.owner_id,
      ownerName: row.owner_name,
      note: row.acknowledge_note,
    },
  }
}

const historyOf = (
  db: Db | Tx,
  scope: Scope,
  { device_id, id }: Pick<AlertRow, 'device_id' | 'id'>,
  { after, skip, size }: PageRequest<HistoryKey>,
) =>
  db
    .selectFrom('alert_event as e')
    .leftJoin('app_user as author', 'author.id', 'e.user_id')
    .select([
      'e.id',
      'e.kind',
      'e.at',
      'e.text',
      keyTime('e.at').as('key_time'),
      shownAs(scope, 'author', sql`e.username`).as('username'),
    ])
    .where('e.device_id', '=', device_id)
    .where('e.alert_id', '=', id)
    .where('e.kind', 'in', [...SHOWN_KINDS])
    .where(after ? sql<SqlBool>`(e.at, e.id) < (${after.at}::timestamptz, ${after.id}::bigint)` : sql<SqlBool>`true`)
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .offset(skip)
    .limit(size)

type HistoryRow = RowOf<typeof historyOf>

function toHistory({ id, kind, at, username, text }: HistoryRow): HistoryEntry {
  return { id: Number(id), kind: kind as HistoryKind, at: at.toISOString(), username, text }
}

function neighboursOf(db: Db | Tx, scope: Scope, { device_id, id, created_at }: AlertRow) {
  const at = created_at.getTime()
  return (
    alertsIn(db, scope)
      .where('alert.device_id', '=', device_id)
      .where('alert.id', '<>', id)
      .where('alert.created_at', '>=', new Date(at - HOUR_MS))
      .where('alert.created_at', '<=', new Date(at + HOUR_MS))
      // The nearest are chosen when there are more than fit.
      .orderBy(sql`abs(extract(epoch from alert.created_at - ${created_at}::timestamptz))`)
      .orderBy('alert.id')
      .limit(MOST_NEIGHBOURS)
      .leftJoin('alert_condition as condition', 'condition.id', 'alert.condition_id')
      .select(['alert.id', 'alert.created_at', 'alert.field_id', 'alert.condition_text', 'alert.status_id'])
      .select([
        'alert.metric_value_text as told',
        'alert.metric_value_dec as value',
        'condition.title as condition_title',
      ])
  )
}

function toNeighbour(row: RowOf<typeof neighboursOf>): AlertDetails['neighbours'][number] {
  return {
    id: row.id,
    created: row.created_at.toISOString(),
    conditionText: row.condition_text,
    title: titleOf(row),
    statusId: row.status_id,
  }
}

const maintenanceOf = (db: Db | Tx, scope: Scope, { device_id, id }: AlertRow) =>
  db
    .selectFrom('maintenance_entry')
    .select('id')
    .where('device_id', '=', device_id)
    .where('alert_id', '=', id)
    .where(isOfScope(scope, 'customer_id'))
    .orderBy('start_at', 'desc')
    .orderBy('id', 'desc')
